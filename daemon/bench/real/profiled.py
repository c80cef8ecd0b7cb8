"""How a profiled window was spent, by JAX's own reader of profiles and a second reading of the compiled step's text."""
import glob
import os
import re

KINDS = "all-gather|all-reduce|all-to-all|reduce-scatter|collective-permute|collective-broadcast|ragged-all-to-all|send|recv"


def instructions(text):
    """The collectives among a module's instructions by name, and the names of those that only contain others."""
    kinds, holders = {}, set()
    for name, opcode in re.findall(r"^\s*(?:ROOT )?%?([\w.-]+) = .*?[\])}] ([a-z][a-z0-9-]*)\(", text, re.MULTILINE):
        kind = re.fullmatch(rf"({KINDS})(?:-start|-done)?", opcode)
        if kind:
            kinds[name] = kind[1]
        elif opcode in ("while", "call", "conditional"):
            holders.add(name)
    return kinds, holders


def union(intervals):
    """The intervals merged into disjoint ones, in order."""
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    return merged


def total(intervals):
    return sum(end - start for start, end in union(intervals))


def shares(folder, text):
    """Seconds of each kernel on all devices; the window's parts as means over the devices; exposed shares by kind of collective."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    from jax.profiler import ProfileData

    kinds, holders = instructions(text)
    kernels, devices = {}, {}
    for file in glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True):
        for plane in ProfileData.from_file(file).planes:
            for line in plane.lines:
                for event in line.events:
                    statistics = {str(name): value for name, value in event.stats if name in ("hlo_op", "device_ordinal")}
                    name = statistics.get("hlo_op")
                    if not name or name in holders or re.fullmatch(r"(while|call|conditional)([.]\d+)?", name) or event.duration_ns <= 0:
                        continue
                    kernels[name] = kernels.get(name, 0) + event.duration_ns / 1e9
                    device = devices.setdefault((file, plane.name, statistics.get("device_ordinal")), {})
                    named = re.match(rf"({KINDS})(?:-start|-done)?(?:[.]|$)", name)
                    sort = kinds.get(name) or (named[1] if named else None) or ("copy" if name.startswith(("copy-", "memcpy", "memset")) else "compute")
                    device.setdefault(sort, []).append((event.start_ns, event.start_ns + event.duration_ns))
    parts, by_kind, worst = {}, {}, 0
    for device in devices.values():
        whole = [i for intervals in device.values() for i in intervals]
        compute = device.get("compute", [])
        spoken = [i for sort, intervals in device.items() if sort not in ("compute", "copy") for i in intervals]
        span = max(end for _, end in whole) - min(start for start, _ in whole)
        both = total(compute + spoken)
        exposed = both - total(compute)
        own = {
            "window": span,
            "compute": total(compute),
            "exposed communication": exposed,
            "hidden communication": total(spoken) - exposed,
            "copies": total(whole) - both,
            "idle": span - total(whole),
        }
        worst = max(worst, exposed / span)
        for name, value in own.items():
            parts[name] = parts.get(name, 0) + value / 1e9 / len(devices)
        for sort, intervals in device.items():
            if sort not in ("compute", "copy"):
                by_kind[sort] = by_kind.get(sort, 0) + total(intervals)
    seconds = sum(by_kind.values())
    costs = {kind: parts["exposed communication"] * value / seconds / parts["window"] for kind, value in by_kind.items()}
    costs.update({name: parts[name] / parts["window"] for name in ("compute", "idle", "copies")} if parts else {})
    return kernels, parts, costs, worst
