#include <deque>
#include <mutex>
#include <qkcert/core/errors.hpp>
#include <qkcert/search/batch.hpp>

namespace qkcert {

Answer ask(const Method& method, const Request& request) {
  using Outcome = Tried::Outcome;
  Answer answer{{std::string(method.name), {}, request.seed}};
  answer.tried.patience = request.patience;
  if (request.heads && request.head_dim)
    answer.tried.architecture = Architecture{*request.heads, *request.head_dim};
  try {
    answer.attempt = attempt(method, request, true);
  } catch (const MethodError& error) {
    answer.tried.reason = error.what();
    if (request.out_of_time()) answer.tried.outcome = Outcome::cut_off;
    return answer;
  } catch (const SizeError& error) {
    answer.tried.reason = error.what();
    return answer;
  }
  answer.tried.architecture = answer.attempt->architecture;
  answer.tried.outcome = answer.attempt->claim      ? Outcome::verified
                         : request.out_of_time()    ? Outcome::cut_off
                         : answer.attempt->extremes ? Outcome::not_separated
                                                    : Outcome::weights_too_large;
  return answer;
}

namespace {

/// The answers of requests that run at the same time, handed on in order.
class Batch {
 public:
  Batch(const std::vector<Request>& requests, const std::function<Answer(const Request&)>& judge,
        const std::function<void(Answer)>& finish)
      : requests_(requests),
        judge_(judge),
        finish_(finish),
        cancelled_(requests.size()),
        answers_(requests.size()),
        winner_(requests.size()) {}

  void run(std::size_t index) {
    Request request = requests_[index];
    request.threads = 1;
    request.cancelled = &cancelled_[index];
    if (request.out_of_time()) return;
    Answer answer = judge_(request);
    const std::lock_guard lock(mutex_);
    if (index > winner_) return;
    if (answer.verified()) {
      winner_ = index;
      for (std::size_t later = index + 1; later < requests_.size(); ++later)
        cancelled_[later] = true;
    }
    answers_[index] = std::move(answer);
    for (; next_ < requests_.size() && next_ <= winner_ && answers_[next_]; ++next_)
      finish_(*std::exchange(answers_[next_], std::nullopt));
  }

  /// Hands on what is left behind requests that were never started.
  bool end() {
    for (; next_ < requests_.size() && next_ <= winner_; ++next_)
      if (answers_[next_]) finish_(*std::exchange(answers_[next_], std::nullopt));
    return winner_ < requests_.size();
  }

 private:
  const std::vector<Request>& requests_;
  const std::function<Answer(const Request&)>& judge_;
  const std::function<void(Answer)>& finish_;
  std::deque<std::atomic<bool>> cancelled_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::optional<Answer>> answers_;
  std::size_t winner_;    ///< the first that verified so far
  std::size_t next_ = 0;  ///< the first that was not handed on
};

}  // namespace

bool first_verified(const std::vector<Request>& requests, unsigned threads, bool side_by_side,
                    const std::function<Answer(const Request&)>& judge,
                    const std::function<void(Answer)>& finish) {
  if (side_by_side && requests.size() > 1) {
    Batch batch(requests, judge, finish);
    parallel_for(requests.size(), threads, [&](std::size_t i, unsigned) { batch.run(i); });
    return batch.end();
  }
  for (const Request& request : requests) {
    if (request.out_of_time()) return false;
    Answer answer = judge(request);
    const bool verified = answer.verified();
    finish(std::move(answer));
    if (verified) return true;
  }
  return false;
}

}  // namespace qkcert
