"""Checks statements that a page makes in several places against the journal, the logs and each other.

If the page lacks something that the journal has, that is a fault: a missing row must not pass for one that agrees.
"""
import datetime
import os
import re

COMPARED = ("CONTROL", "SCREEN", "CONFIRM", "CONFIRM_CONTROL")


PHRASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../templates/report/en.properties")


def sentences(events):
    """The journal's events, with each statement replaced by its sentence on the English page."""
    said = dict(re.findall(r"^said\.([\w-]+)=(.*)$", open(PHRASES, encoding="utf-8").read(), re.M))
    return [told(event, said) for event in events]


def told(node, said):
    if isinstance(node, list):
        return [told(item, said) for item in node]
    if not isinstance(node, dict):
        return node
    kind = node.get("type")
    if kind == "Words" and "text" in node:
        return node["text"]
    if kind == "Row" and "joint" in node:
        return node["joint"].join(told(part, said) for part in node["parts"])
    if kind == "Phrase" and "key" in node:
        values = [told(value, said) for value in node["values"]]
        pattern = said[node["key"]].replace("''", "'").replace("\\\\", "\\")
        pattern = re.sub(r"\{(\d)#([^|}]*)\|([^}]*)}", lambda m: m[2] if values[int(m[1]) : int(m[1]) + 1] == ["1"] else m[3], pattern)
        return re.sub(r"\{(\d)}", lambda m: values[int(m[1])] if int(m[1]) < len(values) else m[0], pattern)
    return {key: told(value, said) for key, value in node.items()}


def plain(text):
    return re.sub(r"\s+", " ", text.replace("\\", "").replace("`", "")).strip()


def flags(profile):
    return " ".join(f"{name}={value}" for name, value in sorted(profile["flags"].items()))


def seconds(text):
    """A printed length of time and its rounding: for times in whole seconds the page drops the fraction."""
    parts = re.fullmatch(r"(?:(\d+) h )?(?:(\d+) min )?([\d.]+) s", text)
    if not parts:
        return None
    return int(parts[1] or 0) * 3600 + int(parts[2] or 0) * 60 + float(parts[3]), 0.051 if "." in parts[3] else 1.0


def instant(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def trials_of(events):
    """Each trial by its id, including trials that were planned after their wave had opened."""
    return {t["id"]: t for e in events if e["type"] in ("WaveOpened", "TrialsPlanned") for t in e["trials"]}


def check(page, patch, events, jobs, log_of, table, expect):
    """`expect(holds, what)` counts a comparison; `log_of(job)` is a job's log and `table` reads a page's tables."""
    trials = trials_of(events)
    measured = attempts(page, events, trials, table, expect)
    board = {plain(row["profile"]).replace("⭐ ", ""): row for row in table(page, "profile", "verdict")}
    profiles = {p["name"]: p for e in events if e["type"] == "SweepStarted" for p in e["spec"]["profiles"]}
    ending = next((e["ending"] for e in events if e["type"] == "SweepFinished"), {})
    leaderboard(board, {trials[a.split("a")[0]]["profile"] for a in measured}, profiles, ending, expect)
    copies(page, board, profiles, ending, table, expect)
    findings(page, events, table, expect)
    winner = profiles.get(ending.get("profile"))
    for text in (page, patch):
        set_ = {plain(flag) for flag in re.findall(r"(?m)^\s*_nightsweep_flag (--\S+)$", text)}
        expect(set_ == (set(flags(winner).split()) if winner else set()), f"the patch sets {sorted(set_)}")
    provenance(page, [log_of(jobs[a]) for a in measured if a in jobs], expect)


def attempts(page, events, trials, table, expect):
    rows = {row["attempt"]: row for row in table(page, "attempt", "purpose")}
    judged = {e["attempt"]: e["judgement"] for e in events if e["type"] == "AttemptJudged"}
    measured = []
    for e in (e for e in events if e["type"] == "AttemptEnded"):
        attempt, end, trial = e["attempt"], e["end"], trials[e["attempt"].split("a")[0]]
        row = rows.get(attempt)
        expect(row is not None, f"attempt {attempt} has no row")
        if row is None:
            continue
        judgement = judged.get(attempt, {})
        diagnosis = judgement.get("diagnosis", {}).get("failureClass")
        expect(plain(row["profile"]) == trial["profile"], f"attempt {attempt} was of {trial['profile']}")
        expect((row["status"] == f"failed: {diagnosis}") == (judgement.get("type") == "Failed"), f"attempt {attempt} is {row['status']}")
        expect(row["exit"] in ("-", str(end["exitCode"])), f"attempt {attempt} ended with {end['exitCode']}")
        took = seconds(row["elapsed"])
        if took and end.get("startedAt"):
            own = (instant(end["endedAt"]) - instant(end["startedAt"])).total_seconds()
            expect(abs(took[0] - own) <= took[1], f"attempt {attempt} took {own} s and not {row['elapsed']}")
        if row["status"] == "measured":
            expect(re.match(r"[\d.]", list(row.values())[-1]), f"attempt {attempt} was measured and has no value")
            if trial["purpose"] in COMPARED:
                measured.append(attempt)
    return measured


def leaderboard(board, ran, profiles, ending, expect):
    expect(set(board) >= ran, f"not on the leaderboard: {sorted(ran - set(board))}")
    for name, row in board.items():
        ends = [float(end) for end in re.findall(r"[+-][\d.]+", row["interval"])]
        expect((row["verdict"] == "win") == (name == ending.get("profile")), f"the verdict of {name} is {row['verdict']}")
        expect(row["verdict"] != "loss" or (ends and ends[-1] < 0), f"{name} is called a loss at {row['interval']}")
        expect(row["verdict"] != "win" or (ends and ends[0] > 0), f"{name} is called a win at {row['interval']}")
        own = flags(profiles[name]) if name in profiles else ""
        expect(not own or plain(row["flags"]) == own, f"{name} is shown with {row['flags']}")


def copies(page, board, profiles, ending, table, expect):
    """The summary and the effect of the env file have the leaderboard's figures."""
    winner = board.get(ending.get("profile"))
    said = re.search(r"⭐ \*\*`([^`]+)`\*\* beats `[^`]+` by \*\*([^*]+)\*\* \(([^;]+);", page)
    expect(bool(said) == bool(winner), "the summary names no winner, or one where there is none")
    pairs = []
    if said and winner:
        expect(said[1] == ending["profile"], f"the summary names {said[1]}")
        expect([said[2], said[3]] == [winner["δ vs baseline"], winner["interval"]], f"the summary says {said[2]}, {said[3]}")
        pairs += [(row, "mean (tok/s/device)", winner) for row in table(page, "recipe", "cell") if row["recipe"] == ending["profile"]]
        expect(bool(pairs), "the summary's table lacks the winner")
    if "baseline-no-env" in board:
        effect = [(row, "baseline-no-env", board["baseline-no-env"]) for row in table(page, "config tag", "verdict")]
        expect(bool(effect), "the effect of the env file is left out")
        pairs += effect
    for row, mean, own in pairs:
        shown = [row[mean], row["δ vs baseline"], row["interval"], row["runs"], row.get("verdict", own["verdict"]), plain(row.get("flags", own["flags"]))]
        wanted = [own["mean (tok/s/device)"], own["δ vs baseline"], own["interval"], own["runs"], own["verdict"], plain(own["flags"])]
        expect(shown == wanted, f"the page tells {shown} and {wanted} of one profile")
        base = next((value for key, value in row.items() if key.startswith("baseline-deployed")), None)
        expect(base == board["baseline-deployed"]["mean (tok/s/device)"], f"the page tells {base} of the baseline")


def findings(page, events, table, expect):
    shown = {plain(row["statement"]) for row in table(page, "finding", "statement")}
    for e in events:
        if e["type"] == "FindingMade" and e["finding"]["kind"] not in ("program", "known-settings"):
            finding = e["finding"]
            expect(plain(finding["statement"]) in shown, f"no finding says: {finding['statement'][:100]}")
            parts = list(finding["figures"].values())
            whole = finding["figures"].get("window", 1)
            # Other statements give shares of several totals.
            if finding["kind"] in ("dominant-cost", "exposed-communication-by-kind", "step-time-breakdown"):
                for percent in re.findall(r"([\d.]+) %", finding["statement"]):
                    expect(any(abs(100 * part / whole - float(percent)) < 0.051 for part in parts), f"no figure makes {percent} %: {finding['statement'][:100]}")


def provenance(page, logs, expect):
    """The page's head describes the software as the jobs printed it."""
    for log in logs:
        for name, value in set(re.findall(r"(?m)^\s*\d+: nightsweep: provenance (MaxText commit|jax|jaxlib)=(\S+)", log)):
            expect(f"- `{name}`: `{value}`\n" in page, f"a job ran with {name} {value}, and the page's head does not say so")
