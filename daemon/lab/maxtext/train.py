"""A small JAX program that logs as MaxText does, over a mesh of MaxText's axes data, fsdp and tensor, each between
nodes (dcn_*) and inside them (ici_*). XLA gathers the weights of each layer along fsdp, scatters their gradients, and
reduces activations along tensor. It runs in the folder of the MaxText that it imitates (container_env.sh lists
them); the rank in LAB_RAISE_ON_RANK raises."""
import json
import math
import os
import sys
import time
import traceback

sys.path.insert(0, "src")
from MaxText.max_logging import log


def end(code):
    """Exits at once, as the real launcher's wrapper does: JAX's own exit waits minutes for the other ranks."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def fail(*exception):
    traceback.print_exception(*exception)
    end(1)


sys.excepthook = fail
settings = {}


def take(text, separator):
    key, value = text.split(separator, 1)
    settings[key.strip()] = value.split(" #")[0].strip().strip("\"'")


for line in open(sys.argv[1]):
    if ":" in line and not line.lstrip().startswith("#"):
        take(line, ":")
with open("src/MaxText/configs/base.yml") as base:
    known = [*settings, *(line.split(":")[0] for line in base if not line.startswith("#"))]
for word in sys.argv[2:]:
    if word.split("=")[0] not in known:
        # MaxText has imported for seconds by then. The launcher takes a job that ends at once for one
        # that was killed in the prolog, and removes its folder.
        time.sleep(3)
        raise ValueError(f"{word.split('=')[0]!r} not in {', '.join(map(repr, known))}.")
    take(word, "=")


def number(key, otherwise):
    return int(settings.get(key) or otherwise)


import jax

jax.config.update("jax_platforms", "cpu")
nodes = int(os.environ.get("NNODES", "1"))
if nodes > 1:
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(
        f"{os.environ['JAX_COORDINATOR_IP']}:{os.environ['JAX_COORDINATOR_PORT']}", nodes, int(os.environ["NODE_RANK"])
    )

if settings.get("jax_cache_dir"):
    from jax.experimental.compilation_cache import compilation_cache

    compilation_cache.set_cache_dir(os.path.expanduser(settings["jax_cache_dir"]))

import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

if os.environ.get("LAB_RAISE_ON_RANK") == os.environ.get("NODE_RANK", "0"):
    raise RuntimeError("this rank was told to raise by LAB_RAISE_ON_RANK")
if settings.get("dataset_type") not in ("synthetic", "text"):
    raise ValueError(f"unknown dataset_type {settings.get('dataset_type')}")
AXES = ("data", "fsdp", "tensor")


def sizes(kind, count, what):
    """The size of each mesh axis; -1 means the remaining devices, as in MaxText, whose other axes are not used here."""
    axes = {key: number(key, 1) for key in settings if key.startswith(kind) and key.endswith("_parallelism")}
    product = math.prod(size for size in axes.values() if size != -1)
    axes = {key: count // product if size == -1 else size for key, size in axes.items()}
    if math.prod(axes.values()) != count:
        raise ValueError(f"Number of {what} {count} does not match the product of the {kind[:3].upper()} parallelism {product}")
    mine = [axes.pop(f"{kind}{axis}_parallelism", 1) for axis in AXES]
    if any(size != 1 for size in axes.values()):
        raise ValueError(f"this program has no axes but {AXES}, and {axes} are given")
    return mine


# For each axis the part between nodes varies slower than the part inside them, as in MaxText's hybrid mesh.
dcn, ici = sizes("dcn_", nodes, "slices"), sizes("ici_", jax.local_device_count(), "devices per slice")
ordered = sorted(jax.devices(), key=lambda device: (device.process_index, device.id))
devices = np.array(ordered).reshape(dcn + ici).transpose(0, 3, 1, 4, 2, 5)
mesh = Mesh(devices.reshape([a * b for a, b in zip(dcn, ici)]), AXES)
layers, embed, hidden = number("num_layers", 2), number("embed_dim", 256), number("mlp_dim", 512)
vocab, length, batch = number("vocab_size", 256), number("max_target_length", 64), number("per_device_batch_size", 8)
steps, tokens = number("steps", 15), number("per_device_batch_size", 8) * number("max_target_length", 64)
activation = {"gelu": jax.nn.gelu, "silu": jax.nn.silu}[settings.get("activation", "gelu")]
learning_rate = float(settings.get("learning_rate", "0.05"))



def sharding(*axes):
    return NamedSharding(mesh, P(*axes))


rows, shards = sharding(("data", "fsdp"), None), {"up": sharding("fsdp", "tensor"), "down": sharding("tensor", "fsdp"), "embed": sharding("tensor", "fsdp")}


def init(key):
    keys = jax.random.split(key, 2 * layers + 1)
    weights = {"embed": jax.random.normal(keys[0], (vocab, embed)) * 0.1}
    for i in range(layers):
        weights[f"up{i}"] = jax.random.normal(keys[2 * i + 1], (embed, hidden)) * embed**-0.5
        weights[f"down{i}"] = jax.random.normal(keys[2 * i + 2], (hidden, embed)) * hidden**-0.5
    return weights


def loss_of(weights, data):
    x = weights["embed"][data]
    for i in range(layers):
        inside = jax.lax.with_sharding_constraint(x @ weights[f"up{i}"], sharding(("data", "fsdp"), None, "tensor"))
        x = jax.lax.with_sharding_constraint(x + activation(inside) @ weights[f"down{i}"], sharding(("data", "fsdp"), None, None))
    logits = jax.nn.log_softmax(x @ weights["embed"].T)
    return -jnp.mean(jnp.take_along_axis(logits[:, :-1], data[:, 1:, None], -1))


def train_step(weights, data):
    loss, gradient = jax.value_and_grad(loss_of)(weights, data)
    return jax.tree.map(lambda w, g: w - learning_rate * g, weights, gradient), loss


def corpus():
    """Real text: the source of this program's own library."""
    return np.frombuffer(open(jax.__file__, "rb").read(), np.uint8)


text = corpus() if settings.get("dataset_type") == "text" else None


def batch_of(step):
    rng = np.random.default_rng(step if text is not None else 7)
    shape = (batch * jax.device_count(), length)
    if text is None:
        whole = rng.integers(0, vocab, shape, dtype=np.int32)
    else:
        starts = rng.integers(0, len(text) - length, shape[0])
        whole = np.stack([text[s : s + length] for s in starts]).astype(np.int32) % vocab
    return jax.make_array_from_callback(shape, rows, lambda index: whole[index])


out = {name: shards[name.rstrip("0123456789")] for name in jax.eval_shape(init, jax.random.key(0))}
weights = jax.jit(init, out_shardings=out)(jax.random.key(0))
size = sum(w.size for w in jax.tree.leaves(weights))
compiled = (
    jax.jit(train_step, in_shardings=(out, rows), out_shardings=(out, None), donate_argnums=0)
    .lower(weights, batch_of(0))
    .compile()
)
m = compiled.memory_analysis()
total = m.output_size_in_bytes + m.temp_size_in_bytes + m.argument_size_in_bytes - m.alias_size_in_bytes
log(
    f"Total memory size: {total / 2**30:.6f} GB, Output size: {m.output_size_in_bytes / 2**30:.6f} GB, "
    f"Temp size: {m.temp_size_in_bytes / 2**30:.6f} GB, Argument size: {m.argument_size_in_bytes / 2**30:.6f} GB, "
    f"Host temp size: {m.host_temp_size_in_bytes / 2**30:.6f} GB."
)
log("Memstats: After params initialized:")

inner = number("inner_steps", 1)
flops = 6 * (size - vocab * embed) * tokens + 6 * vocab * embed * tokens
first = number("skip_first_n_steps_for_profiler", 1)
last = first + number("profiler_steps", 5) - 1
profiling = bool(settings.get("profiler"))
hidden = settings.get("hide_profiler_step_metric") == "true"
pending = None
for step in range(steps):
    if profiling and step == first:
        jax.profiler.start_trace(os.path.join(settings["base_output_directory"], settings.get("run_name", "run"), "tensorboard"))
    data = batch_of(step)
    began = time.perf_counter()
    for _ in range(inner):
        weights, loss = compiled(weights, data)
    loss = float(loss)
    seconds = (time.perf_counter() - began) / inner
    if profiling and step == last:
        jax.profiler.stop_trace()
    if pending:
        log(pending)
    if settings.get("metrics_file"):
        figures = {
            "learning/loss": loss,
            "learning/total_weights": tokens * jax.device_count(),
            "perf/step_time_seconds": seconds,
            "perf/per_device_tflops_per_sec": flops / seconds / 1e12,
            "perf/per_device_tokens_per_sec": tokens / seconds,
            "step": float(step),
            "run_name": settings.get("run_name", "run"),
        }
        with open(settings["metrics_file"], "a" if step else "w") as metrics:
            metrics.write(json.dumps(figures) + "\n")
    if hidden and profiling and step in (first, first + 1, last + 1, last + 2):
        pending = f"completed profiler activation/deactivation step: {step}, total_weights: {tokens * jax.device_count()}, loss: {loss:.4f}"
        continue
    pending = (
        f"completed step: {step}, seconds: {seconds:.6f}, TFLOP/s/device: {flops / seconds / 1e12:.4f}, "
        f"Tokens/s/device: {tokens / seconds:.3f}, total_weights: {tokens * jax.device_count()}, loss: {loss:.4f}"
    )
log(pending)
end(0)
