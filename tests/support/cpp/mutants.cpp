// Which mutant is on (the environment's MUTANT), and which ones each test meets (into the file
// MUTANTS_MET, while none is on): a line for each test, its name, its milliseconds and their
// numbers.
#include "support/cpp/mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace mutants {
namespace {

std::uint8_t met[MUTANTS];

int from_environment() {
  const char* number = std::getenv("MUTANT");
  return number == nullptr ? -1 : std::atoi(number);
}

class Notes : public testing::EmptyTestEventListener {
 public:
  explicit Notes(const char* path) : file_(std::fopen(path, "w")) {}
  ~Notes() override { std::fclose(file_); }

 private:
  void OnTestStart(const testing::TestInfo&) override { std::fill_n(met, MUTANTS, 0); }

  void OnTestEnd(const testing::TestInfo& test) override {
    std::fprintf(file_, "%s.%s %d", test.test_suite_name(), test.name(),
                 static_cast<int>(test.result()->elapsed_time()));
    for (int n = 0; n < MUTANTS; ++n) {
      if (met[n] != 0) std::fprintf(file_, " %d", n);
    }
    std::fprintf(file_, "\n");
    std::fflush(file_);
  }

  std::FILE* file_;
};

bool listen() {
  const char* path = std::getenv("MUTANTS_MET");
  if (path == nullptr) return false;
  testing::UnitTest::GetInstance()->listeners().Append(new Notes(path));
  return true;
}

}  // namespace

int chosen = from_environment();
const bool listens = listen();

bool note(int n) {
  met[n] = 1;
  return false;
}

}  // namespace mutants
