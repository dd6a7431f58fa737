// Powers and exponentials in double precision, to 0.75 ulp. Results have the same bits in native
// programs and in the module; C libraries differ in theirs.
#pragma once

namespace attention {

// The sum high + low; low is less than half an ulp of high.
struct Precise {
  double high;
  double low;
};

// The powers of a base above 0, as far as they are normal numbers.
class Powers {
 public:
  explicit Powers(double base);

  double operator()(double exponent) const;

 private:
  Precise log2_of_base_;
};

// e^x for x from -700 to 700.
double exponential(double x);

}  // namespace attention
