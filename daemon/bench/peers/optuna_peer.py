"""Optuna's TPE with a pruner, both with their defaults, driven through standard input and output.

A night is one study over one categorical parameter, the profile. Lines in: "night SEED TRIALS NAME NAME ...". Lines out,
each marked with "@": "run NAME", answered by "steps V V ..." or "failed"; "used N" is the number of steps that ran; "done".
"""

import sys

import optuna


def ask(line):
    print("@" + line, flush=True)


def pruner(kind):
    if kind == "median":
        return optuna.pruners.MedianPruner()
    if kind == "halving":
        return optuna.pruners.SuccessiveHalvingPruner()
    if kind == "wilcoxon":
        return optuna.pruners.WilcoxonPruner()
    raise SystemExit(f"no pruner '{kind}'; there are median, halving, wilcoxon")


def objective(trial, names):
    name = trial.suggest_categorical("profile", names)
    ask("run " + name)
    answer = sys.stdin.readline().split()
    if answer[0] == "failed":
        raise optuna.TrialPruned()
    steps = [float(v) for v in answer[1:]]
    # The first five steps are warm-up.
    for step, value in list(enumerate(steps))[5:]:
        trial.report(value, step)
        if step < len(steps) - 1 and trial.should_prune():
            ask(f"used {step + 1}")
            raise optuna.TrialPruned()
    ask(f"used {len(steps)}")
    window = steps[5:]
    return sum(window) / len(window)


def main():
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    kind = sys.argv[1]
    for line in sys.stdin:
        _, seed, trials, *names = line.split()
        study = optuna.create_study(
            direction="maximize",
            sampler=optuna.samplers.TPESampler(seed=int(seed)),
            pruner=pruner(kind),
        )
        study.optimize(lambda trial: objective(trial, names), n_trials=int(trials))
        ask("done")


if __name__ == "__main__":
    main()
