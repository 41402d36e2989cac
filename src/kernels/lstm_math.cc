#include "kernels/lstm_math.h"

#include "kernels/gemmlowp.h"

namespace arenalite {
namespace {

template <int kIntegerBits>
int16_t TanhOf(int16_t x) {
  using Input = gemmlowp::FixedPoint<int16_t, kIntegerBits>;
  return gemmlowp::tanh(Input::FromRaw(x)).raw();
}

}  // namespace

int16_t Logistic16(int16_t x) {
  using Input = gemmlowp::FixedPoint<int16_t, 3>;
  return gemmlowp::logistic(Input::FromRaw(x)).raw();
}

int16_t Tanh16(int16_t x, int integer_bits) {
  constexpr int16_t (*kTanh[])(int16_t) = {TanhOf<0>, TanhOf<1>, TanhOf<2>,
                                           TanhOf<3>, TanhOf<4>, TanhOf<5>,
                                           TanhOf<6>};
  return kTanh[integer_bits](x);
}

}  // namespace arenalite
