// oneTBB in a program of one thread.
#pragma once

namespace tbb {

struct simple_partitioner {};

template <typename Index, typename Body>
void parallel_for(Index first, Index last, const Body& body, simple_partitioner) {
  for (Index i = first; i < last; ++i) body(i);
}

}  // namespace tbb
