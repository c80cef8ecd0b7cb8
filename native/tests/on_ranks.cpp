#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>

#include "controlled_transport.hpp"
#include "ep_facts.hpp"
#include "ep_oracle.hpp"
#include "ep_pipeline.hpp"
#include "errors.hpp"
#include "gpu_ep_case.hpp"
#include "gpu_tp_layer.hpp"
#include "memory.hpp"
#include "runner.hpp"
#include "submitter.hpp"
#include "tp_layer.hpp"

// Run by mpirun with several ranks: every rank runs every test, in the same order.
namespace nightsweep {
namespace {

Transport* the_transport = nullptr;

EpOptions small() {
  EpOptions o;
  o.tokens = 24;
  o.hidden = 256;
  o.routing = {Routing::uniform, the_transport->ranks(), 16, 4, 3};
  return o;
}

struct Found {
  EpWrong received, combined;
};

/** A whole round, with a change after dispatch or after combine. */
template <typename Case>
Found round_of(Case& one, const std::function<void(Case&)>& after_dispatch = {},
               const std::function<void(Case&)>& after_combine = {}) {
  one.forget();
  one.dispatch();
  one.settle();
  if (after_dispatch) after_dispatch(one);
  EpOracle oracle(one.options, one.tokens, one.placement, the_transport->rank(), one.options.activation);
  const EpWrong received = oracle.received(one);
  one.apply_experts();
  one.combine();
  one.settle();
  if (after_combine) after_combine(one);
  return {received, oracle.combined(one)};
}

Found round_of(const EpOptions& o, const std::function<void(EpCase&)>& after_dispatch = {},
               const std::function<void(EpCase&)>& after_combine = {}) {
  EpCase one(*the_transport, o);
  return round_of<EpCase>(one, after_dispatch, after_combine);
}

long over_ranks(long own) { return the_transport->sum_over_ranks(own); }

void expect_right(const EpOptions& o, const std::string& what) {
  const Found found = round_of(o);
  EXPECT_EQ(over_ranks(found.received.total()), 0) << what;
  EXPECT_EQ(over_ranks(found.combined.total()), 0) << what;
}

/** Changes a word of the first received record. */
void change_record(EpCase& one, std::size_t word) {
  ASSERT_GT(one.received.counts[0], 0U);
  reinterpret_cast<std::int32_t*>(one.received_records.data())[word] ^= 1;
}

}  // namespace

TEST(Ep, EveryRoutingSpreadAndPlacementIsRight) {
  for (const Routing routing : {Routing::uniform, Routing::balanced, Routing::balanced_rank_local,
                                Routing::zipf, Routing::hotspot_single}) {
    for (const TokenSpread spread : {TokenSpread::even, TokenSpread::linear, TokenSpread::empty_rank}) {
      for (const PlacementKind placement :
           {PlacementKind::packed, PlacementKind::striped, PlacementKind::adversarial}) {
        EpOptions o = small();
        o.routing.routing = routing;
        o.spread = spread;
        o.placement = placement;
        expect_right(o, to_string(routing) + " " + to_string(spread) + " " + to_string(placement));
      }
    }
  }
}

TEST(Ep, EveryModeContractAndDtypeIsRight) {
  for (const EpMode mode : {EpMode::normal, EpMode::low_latency}) {
    for (const EpContract contract :
         {EpContract::layout_and_dispatch, EpContract::cached_layout, EpContract::runtime_visible}) {
      for (const WireDtype dispatch : {WireDtype::bf16, WireDtype::fp8}) {
        for (const WireDtype combine : {WireDtype::bf16, WireDtype::fp8}) {
          EpOptions o = small();
          o.mode = mode;
          o.contract = contract;
          o.dispatch = dispatch;
          o.combine = combine;
          o.redundant = the_transport->ranks();
          expect_right(o, to_string(mode) + " " + std::to_string(static_cast<int>(contract)) + " " +
                              to_string(dispatch) + " " + to_string(combine));
        }
      }
    }
  }
}

TEST(Ep, EveryActivationAndPathIsRight) {
  for (const Activation activation : {Activation::normal, Activation::small_amplitude,
                                      Activation::wide_dynamic_range, Activation::fp8_saturation}) {
    for (const EpResource resource : {EpResource::library, EpResource::fixed, EpResource::tuned}) {
      EpOptions o = small();
      o.activation = activation;
      o.dispatch = WireDtype::fp8;
      o.resource = resource;
      o.budget = resource == EpResource::fixed ? 2 : 0;
      expect_right(o, to_string(activation) + " " + std::to_string(static_cast<int>(resource)));
    }
  }
}

TEST(EpOracle, FindsEveryKindOfMistakeAndNoOther) {
  for (const EpMode mode : {EpMode::normal, EpMode::low_latency}) {
    EpOptions o = small();
    o.mode = mode;
    const auto ranks = static_cast<long>(the_transport->ranks());
    const std::size_t most = slots_per_record(mode, o.routing.topk);
    EXPECT_EQ(over_ranks(round_of(o, [](EpCase& c) { change_record(c, 0); }).received.metadata), ranks);
    EXPECT_EQ(over_ranks(round_of(o, [&](EpCase& c) { change_record(c, 2 + most); }).received.weights),
              ranks);
    EXPECT_EQ(
        over_ranks(round_of(o, [](EpCase& c) { c.received_row(0, 0)[7] ^= std::byte{1}; }).received.payload),
        ranks);
    const Found input = round_of(o, {}, [](EpCase& c) { c.input[0] ^= 1; });
    EXPECT_EQ(over_ranks(input.combined.input), ranks);
    EXPECT_EQ(over_ranks(input.combined.total()), ranks);
    const Found combined = round_of(o, {}, [](EpCase& c) { c.combined[5] ^= 0x0040; });
    EXPECT_EQ(over_ranks(combined.combined.combined), ranks);
    const Found nan = round_of(o, {}, [](EpCase& c) { c.combined[5] = 0x7FC0; });
    EXPECT_EQ(over_ranks(nan.combined.combined), ranks);
  }
}

TEST(EpOracle, FindsACopyTooFewAndASlotTooFew) {
  EpCase one(*the_transport, small());
  one.dispatch();
  const EpOracle oracle(one.options, one.tokens, one.placement, the_transport->rank(), Activation::normal);
  one.received.counts[0] -= 1;
  EXPECT_EQ(oracle.received(one).counts, 1);
  one.received.counts[0] += 1;
  EXPECT_EQ(oracle.received(one).total(), 0);
  reinterpret_cast<std::int32_t*>(one.received_records.data())[1] -= 1;
  EXPECT_EQ(oracle.received(one).multiplicity, 1);
}

TEST(EpFacts, CountCopiesByDistance) {
  SendLayout layout;
  layout.counts = {1, 2, 4, 8, 16, 32, 64, 128};
  const std::vector<std::string> hosts(8, "one");
  const Distances d = distances_of(layout, 1, Locality::of(hosts, 2, 4));
  EXPECT_EQ(d.self, 2U);
  EXPECT_EQ(d.node, 1U);
  EXPECT_EQ(d.domain, 12U);
  EXPECT_EQ(d.beyond, 240U);
}

TEST(EpFacts, NodesAreTheRealHostsUnlessDeclared) {
  SendLayout layout;
  layout.counts = {1, 2, 4, 8, 16, 32};
  // Ranks are dealt out to hosts in turn.
  const Distances d = distances_of(layout, 1, Locality::of({"a", "b", "c", "a", "b", "c"}, 0, 0));
  EXPECT_EQ(d.self, 2U);
  EXPECT_EQ(d.node, 16U);
  EXPECT_EQ(d.domain, 0U);
  EXPECT_EQ(d.beyond, 45U);
}

/** Forwards everything, and counts how many messages a rank sends before it waits for them. */
class CountingTransport final : public ControlledTransport {
 public:
  explicit CountingTransport(Transport& transport) : ControlledTransport(transport) {}

  [[nodiscard]] std::string backend() const override { return control_.backend(); }
  [[nodiscard]] std::string library() const override { return control_.library(); }
  Buffer allocate(BufferKind kind, std::size_t bytes) override { return control_.allocate(kind, bytes); }
  double seconds(const std::function<void()>& operation) override { return control_.seconds(operation); }
  Pending send(const void* data, std::size_t bytes, int to, int tag) override {
    return control_.send(data, bytes, to, tag);
  }
  Pending receive(void* data, std::size_t bytes, int from, int tag) override {
    return control_.receive(data, bytes, from, tag);
  }
  std::size_t wait(Pending& p) override { return control_.wait(p); }
  void wait_all(std::span<Pending> all) override {
    most = std::max(most, std::ranges::count_if(all, [](const Pending& p) { return p.sending; }));
    control_.wait_all(all);
  }
  void progress(Pending& p) override { control_.progress(p); }
  void all_to_all(const void* send, void* receive, std::size_t count, Dtype dtype) override {
    control_.all_to_all(send, receive, count, dtype);
  }

  void send_now(const void*, std::size_t, int, int) override { none(); }
  void receive_now(void*, std::size_t, int, int) override { none(); }
  void allreduce(const void*, void*, std::size_t, Dtype, Reduction) override { none(); }
  void allgather(const void*, void*, std::size_t, Dtype) override { none(); }
  void reduce_scatter(const void*, void*, std::size_t, Dtype, Reduction) override { none(); }
  void reduce(const void*, void*, std::size_t, Dtype, Reduction, int) override { none(); }
  void gather_blocks(const void*, void*, std::size_t, Dtype, int) override { none(); }
  void scatter_blocks(const void*, void*, std::size_t, Dtype, int) override { none(); }
  void all_to_all_v(const void*, void*, const Exchange&, Dtype) override { none(); }
  void broadcast(void*, std::size_t, Dtype, int) override { none(); }
  void send_receive(const void*, int, void*, int, std::size_t, Dtype) override { none(); }

  std::ptrdiff_t most = 0;

 private:
  [[noreturn]] static void none() { throw std::logic_error("a pipeline has no such call"); }
};

TEST(EpPipeline, AFixedBudgetIsKeptInEveryVariant) {
  for (const int budget : {1, 2, the_transport->ranks() - 1}) {
    EpOptions o = small();
    o.contract = EpContract::runtime_visible;
    o.resource = EpResource::fixed;
    o.budget = budget;
    for (const auto variant :
         {&EpPipeline::run_blocking, &EpPipeline::run_overlapped, &EpPipeline::communicate}) {
      CountingTransport counting(*the_transport);
      EpPipeline pipeline(counting, o, 3, 64);
      pipeline.use_stand_ins(true);
      pipeline.run_blocking();
      pipeline.forget_moved();
      counting.most = 0;
      (pipeline.*variant)();
      EXPECT_EQ(over_ranks(pipeline.wrong_with_stand_ins()), 0) << budget;
      // One record and one row per peer.
      EXPECT_EQ(counting.most, 2 * budget);
    }
  }
}

TEST(EpPipeline, BlockingAndOverlappedAgreeWithTheReference) {
  for (const WireDtype dtype : {WireDtype::bf16, WireDtype::fp8}) {
    EpOptions o = small();
    o.contract = EpContract::runtime_visible;
    o.dispatch = o.combine = dtype;
    EpPipeline pipeline(*the_transport, o, 3, 64);
    EXPECT_EQ(pipeline.checked_tokens(), 24U);
    pipeline.run_blocking();
    EXPECT_EQ(over_ranks(pipeline.count_wrong(1)), 0) << to_string(dtype);
    pipeline.forget();
    EXPECT_GT(pipeline.count_wrong(1), 0);
    pipeline.run_overlapped();
    EXPECT_EQ(over_ranks(pipeline.count_wrong(2)), 0) << to_string(dtype);
    pipeline.batch(2).combined[1] ^= 0x4000;
    EXPECT_EQ(over_ranks(pipeline.count_wrong(3)), the_transport->ranks());
    pipeline.use_stand_ins(true);
    pipeline.run_overlapped();
    EXPECT_EQ(over_ranks(pipeline.wrong_with_stand_ins()), 0) << to_string(dtype);
    pipeline.batch(1).combined[7] ^= 0x4000;
    EXPECT_EQ(over_ranks(pipeline.wrong_with_stand_ins()), the_transport->ranks());
  }
}

TEST(EpOracle, SeesAnExpertThatIsLeftOutWhateverTheAmplitude) {
  for (const Activation activation : {Activation::normal, Activation::small_amplitude,
                                      Activation::wide_dynamic_range, Activation::fp8_saturation}) {
    for (const WireDtype combine : {WireDtype::bf16, WireDtype::fp8}) {
      EpOptions o = small();
      o.activation = activation;
      o.combine = combine;
      const Found found = round_of(o, [](EpCase& c) {
        for (std::size_t source = 0; source < c.received.counts.size(); ++source) {
          for (std::size_t copy = 0; copy < c.received.counts[source]; ++copy) {
            auto* words = reinterpret_cast<std::int32_t*>(
                c.received_records.data() + (c.received.starts[source] + copy) * c.record_bytes());
            if (words[1] > 1) --words[1];
          }
        }
      });
      EXPECT_GT(over_ranks(found.combined.combined), 24 * 256 / 4)
          << to_string(activation) << " " << to_string(combine);
    }
  }
}

/** A device's products on the host, by definition: row by column, with sums in f32. */
template <typename T>
class PlainProduct final : public Product {
 public:
  explicit PlainProduct(const ProductShape& shape) : s_(shape) {}
  void run(const void* a, const void* b, void* c) override {
    for (std::size_t i = 0; i < s_.m; ++i) {
      for (std::size_t j = 0; j < s_.n; ++j) {
        float sum = 0;
        for (std::size_t p = 0; p < s_.k; ++p) {
          sum += static_cast<float>(static_cast<const T*>(a)[i * s_.k + p]) *
                 static_cast<float>(static_cast<const T*>(b)[p * s_.n + j]);
        }
        static_cast<T*>(c)[i * s_.n + j] = T(sum);
      }
    }
  }

 private:
  ProductShape s_;
};

class PlainAccelerator final : public Accelerator {
 public:
  [[nodiscard]] void* stream() const override { return nullptr; }
  void synchronise() override {}
  std::unique_ptr<Product> product(const ProductShape& shape) override {
    if (shape.type == ProductType::f16) return std::make_unique<PlainProduct<f16>>(shape);
    if (shape.type == ProductType::bf16) return std::make_unique<PlainProduct<bf16>>(shape);
    return std::make_unique<PlainProduct<float>>(shape);
  }
};

template <typename T>
void expect_layer_near_reference(double tolerance) {
  PlainAccelerator device;
  for (const TpShape& shape : {TpShape{64, 8, 192, 3, 1, 16}, TpShape{64, 8, 192, 1, 12, 0}}) {
    const auto expected = tp_reference(shape);
    GpuTpLayer<T> layer(*the_transport, shape, device, BufferKind::heap);
    for (const bool split : {true, false, true}) {
      layer.forget();
      split ? layer.run_split() : layer.run_per_op();
      layer.settle();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(static_cast<double>(layer.output[i]), expected[i],
                    tolerance * std::max(1.0, std::abs(expected[i])));
      }
    }
  }
}

TEST(TpLayerOnADevice, EveryTypeAgreesWithOneRanksDoubles) {
  expect_layer_near_reference<float>(1e-4);
  // Less than the program allows for half types.
  expect_layer_near_reference<f16>(8 * 0x1p-11);
  expect_layer_near_reference<bf16>(8 * 0x1p-8);
}

/** A device's steps, run on the host over the same transport. */
TEST(EpOnADevice, StepsLeaveWhatEveryRankMustHave) {
  int rounds = 0;
  for (const EpContract contract :
       {EpContract::layout_and_dispatch, EpContract::cached_layout, EpContract::runtime_visible}) {
    for (const WireDtype dispatch : {WireDtype::bf16, WireDtype::fp8}) {
      for (const WireDtype combine : {WireDtype::bf16, WireDtype::fp8}) {
        for (const TokenSpread spread : {TokenSpread::even, TokenSpread::empty_rank}) {
          EpOptions o = small();
          o.tokens = 70;
          o.contract = contract;
          o.dispatch = dispatch;
          o.combine = combine;
          o.spread = spread;
          o.redundant = rounds % 2 == 0 ? 0 : 8;
          o.routing.routing = static_cast<Routing>(rounds++ % 5);
          GpuEpCase one(*the_transport, o, nullptr, BufferKind::heap);
          for (int repeated = 0; repeated < 2; ++repeated) {
            const Found found = round_of<GpuEpCase>(one);
            EXPECT_EQ(over_ranks(found.received.total()), 0) << rounds;
            EXPECT_EQ(over_ranks(found.combined.total()), 0) << rounds;
          }
        }
      }
    }
  }
}

TEST(EpOnADevice, RowsOfAnyLengthThatWordsAllow) {
  EpOptions o = small();
  o.hidden = 254;
  GpuEpCase one(*the_transport, o, nullptr, BufferKind::heap);
  const Found found = round_of<GpuEpCase>(one);
  EXPECT_EQ(over_ranks(found.received.total() + found.combined.total()), 0);
}

TEST(EpOnADevice, CopiesLieAsTheHostLaysThemOut) {
  const EpOptions o = small();
  GpuEpCase device(*the_transport, o, nullptr, BufferKind::heap);
  EpCase host(*the_transport, o);
  device.dispatch();
  device.settle();
  host.dispatch();
  EXPECT_EQ(device.received.counts, host.received.counts);
  EXPECT_EQ(device.received_records, host.received_records);
  EXPECT_EQ(device.received_rows, host.received_rows);
}

TEST(Memory, OneRanksShortageIsEveryRanks) {
  const bool last = the_transport->rank() == the_transport->ranks() - 1;
  EXPECT_THROW(hold_memory(*the_transport, last ? std::size_t{1} << 60 : 1), Dropped);
  EXPECT_NO_THROW(hold_memory(*the_transport, 1));
}

TEST(Memory, WhatOneRankCannotAllocateNoRankHas) {
  const bool lacks = the_transport->rank() == 1;
  EXPECT_THROW(allocate_together(*the_transport,
                                 [&] {
                                   if (lacks) throw TransportError("device memory: out of memory", false);
                                 }),
               Dropped);
  EXPECT_NO_THROW(allocate_together(*the_transport, [] {}));
}

/** A rank that gives up a case later, for example at a peer's death, reports the errors found by then. */
TEST(Runner, WrongElementsAreKnownBeforeTheCaseEnds) {
  const Sampling sampling{.iterations = 1, .trials = 1, .warmup = 0};
  const KernelKind& kind = kernel_kind("allreduce");
  const Json identity = identity_of(kind, {{"bytes", 64}}, *the_transport, sampling);
  std::atomic<long> found = 0;
  run_case(*the_transport, identity, {.sampling = sampling, .fault = Fault::wrong, .quiet = true}, {}, found);
  EXPECT_EQ(found, 1);
}

TEST(TpLayer, EveryVariantAgreesWithOneRanksDoubles) {
  for (const TpShape& shape : {TpShape{64, 8, 192, 3, 1, 16}, TpShape{64, 8, 192, 1, 12, 0}}) {
    const auto expected = tp_reference(shape);
    TpLayer<double> layer(*the_transport, shape);
    for (const bool split : {true, false}) {
      std::ranges::fill(layer.output, 0.0);
      split ? layer.run_split() : layer.run_per_op();
      for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(layer.output[i], expected[i], 1e-11);
      layer.communicate();
      layer.compute();
    }
    TpLayer<float> narrow(*the_transport, shape);
    narrow.run_split();
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(narrow.output[i], expected[i], 1e-4);
  }
}

TEST(TpLayer, CommunicationIsTwoSumsAndWritesNothingBesides) {
  TpLayer<double> layer(*the_transport, TpShape{64, 8, 192, 3, 1, 16});
  layer.run_split();
  const std::vector<double> before = layer.summed();
  layer.communicate();
  const double ranks = the_transport->ranks();
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_NEAR(layer.summed()[i], ranks * ranks * before[i], 1e-9 * std::abs(before[i]));
  }
  EXPECT_TRUE(std::ranges::any_of(before, [](double x) { return x != 0; }));
  layer.set_partial(0);
  layer.communicate();
  EXPECT_TRUE(std::ranges::all_of(layer.summed(), [](double x) { return x == 0; }));
}

TEST(TpReference, SeesCacheAndPosition) {
  const TpShape shape{32, 4, 64, 1, 1, 8};
  TpShape shorter = shape;
  shorter.cached = 7;
  const auto a = tp_reference(shape);
  const auto b = tp_reference(shorter);
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::abs(a[i] - b[i]);
  EXPECT_GT(difference, 0.1);
}

TEST(Submitter, CountsRunsInOrderAndPassesErrorsOn) {
  Submitter submitter;
  int value = 1;
  submitter.run([&] { value += 1; });
  submitter.run([&] { value *= 10; });
  EXPECT_EQ(value, 20);
  EXPECT_EQ(submitter.submissions(), 2);
  EXPECT_THROW(submitter.run([] { throw std::runtime_error("no"); }), std::runtime_error);
  submitter.run([&] { value = 7; });
  EXPECT_EQ(value, 7);
}

}  // namespace nightsweep

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  nightsweep::the_transport = &nightsweep::mpi_transport(&argc, &argv);
  if (nightsweep::the_transport->rank() != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  // If one rank fails, all ranks fail.
  return nightsweep::the_transport->sum_over_ranks(RUN_ALL_TESTS()) > 0 ? 1 : 0;
}
