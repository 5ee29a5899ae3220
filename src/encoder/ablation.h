// Parts of the encoder that can be taken out, to measure what they contribute (Michel et al. 2019,
// "Are Sixteen Heads Really Better than One?").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/words.h"
#include "encoder/observer.h"
#include "math/matrix.h"
#include "model/description.h"

namespace headlight {

/// What takes the place of a part:
/// - head: its output before the output projection, whose bias stays, is zero;
/// - layer: its input, so that it is passed over, with the convolution after it;
/// - feed_forward: zero, before its output norm and residual;
/// - neuron: zero in place of a number of the activated hidden layer of the feed-forward;
/// - none: nothing; the pass only begins with known values.
enum class PartKind : std::uint8_t { head, layer, feed_forward, neuron, none };
inline constexpr std::array<Word<PartKind>, 4> kPartWords = {
    {{"head", PartKind::head},
     {"layer", PartKind::layer},
     {"feed-forward", PartKind::feed_forward},
     {"neuron", PartKind::neuron}}};
/// Several of them.
inline constexpr std::array<Word<PartKind>, 3> kPartsWords = {
    {{"heads", PartKind::head},
     {"layers", PartKind::layer},
     {"feed-forwards", PartKind::feed_forward}}};

struct Part {
  PartKind kind = PartKind::head;
  std::size_t layer = 0;
  std::size_t head = 0;  // the number of a head or neuron in its layer; 0 for other kinds
};

/// All parts of this kind, from the first layer up.
std::vector<Part> parts_of(const Description& model, PartKind kind);
std::vector<std::vector<Part>> each_alone(const std::vector<Part>& parts);

/// The first column and the number of columns of the part, a head, among the outputs of all heads.
struct HeadColumns {
  std::size_t first;
  std::size_t count;
};
HeadColumns columns_of(const HeadsDescription& heads, std::size_t head);

/// What a pass goes without: one part, or heads, none in a layer below the first. The pass begins
/// with the known values at this layer, or with the text if there are none.
struct AblatedParts final : Observer {
  std::vector<Part> parts;
  ConstMatrix hidden;   // [n, d] the vectors before the layer; empty: not known
  ConstMatrix context;  // [n, H] the outputs of the heads of the layer

  bool provides(const Pass& pass, Moment moment, Matrix value) override;
  void change(const Pass& pass, Moment moment, Matrix value) override;
};

/// Heads whose outputs are zero in a whole pass, which another observer can watch.
class HeadsOff final : public Observer {
 public:
  /// Parts of PartKind::head. `heads` and `inner`, which may be nullptr, must outlive it.
  HeadsOff(std::span<const Part> heads, Observer* inner) : heads_(heads), inner_(inner) {}

  bool reads_all_rows() const override { return inner_ != nullptr && inner_->reads_all_rows(); }
  void note(const Pass& pass, Moment moment, ConstMatrix value) override;
  void change(const Pass& pass, Moment moment, Matrix value) override;
  void attend(const Pass& pass, Moment moment, std::span<TextAttention> texts) override;

 private:
  std::span<const Part> heads_;
  Observer* inner_;
};

}  // namespace headlight
