// The active mutant (environment variable MUTANT), or with MUTANTS_MET a file with a line for each
// test: its name, its milliseconds of processor time, the numbers of the mutants that it executed.
#include "support/cpp/mutants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
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
  void OnTestStart(const testing::TestInfo&) override {
    std::fill_n(met, MUTANTS, 0);
    began_ = std::clock();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const double seconds = static_cast<double>(std::clock() - began_) / CLOCKS_PER_SEC;
    std::fprintf(file_, "%s.%s %.0f", test.test_suite_name(), test.name(), 1000 * seconds);
    for (int n = 0; n < MUTANTS; ++n) {
      if (met[n] != 0) std::fprintf(file_, " %d", n);
    }
    std::fprintf(file_, "\n");
    std::fflush(file_);
  }

  std::FILE* file_;
  std::clock_t began_ = 0;
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
