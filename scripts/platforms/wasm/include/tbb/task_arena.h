// oneTBB in a program of one thread.
#pragma once

namespace tbb {

struct task_arena {
  task_arena(int, unsigned) {}
  template <typename Work>
  void execute(const Work& work) {
    work();
  }
  template <typename Work>
  void enqueue(const Work& work) {
    work();
  }
};

namespace this_task_arena {
template <typename Work>
void isolate(const Work& work) {
  work();
}
}  // namespace this_task_arena

}  // namespace tbb
