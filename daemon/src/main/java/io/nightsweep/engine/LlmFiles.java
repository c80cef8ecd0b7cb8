package io.nightsweep.engine;

import com.fasterxml.jackson.core.type.TypeReference;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.Remembered;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps prompts, answers and refuted proposals in files that only their owner can read. */
public final class LlmFiles implements LlmStore {
  private static final int MOST_REMEMBERED = 200;

  private final Path rounds;
  private final Path memory;

  /**
   * @param sweep contains its prompts and answers
   * @param state contains the refuted proposals of all sweeps
   */
  public LlmFiles(SweepDirectory sweep, StateDirectory state) {
    rounds = sweep.root().resolve("llm");
    memory = state.root().resolve("llm-refuted.json");
  }

  @Override
  public boolean isSent(int round) {
    return Files.exists(promptFile(round));
  }

  @Override
  public void keepPrompt(int round, String text) throws IOException {
    OwnFile.write(promptFile(round), text);
  }

  @Override
  public void keepAnswer(int round, String text) throws IOException {
    OwnFile.write(rounds.resolve(round + ".answer.txt"), text);
  }

  /** The prompt as it was sent; empty if none was sent. */
  public Optional<String> prompt(int round) throws IOException {
    try {
      return Optional.of(Files.readString(promptFile(round)).stripTrailing());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Path promptFile(int round) {
    return rounds.resolve(round + ".prompt.txt");
  }

  @Override
  public List<Remembered> remembered(SweepState s) throws IOException {
    return all().stream()
        .filter(r -> r.model().equals(s.cell().model()))
        .filter(r -> r.parallelism().equals(s.cell().parallelism()))
        .toList();
  }

  /** A new refutation replaces an older one of the same proposal. */
  @Override
  public void remember(List<Remembered> refuted) throws IOException {
    if (refuted.isEmpty()) {
      return;
    }
    List<Remembered> all = new ArrayList<>(all());
    all.removeIf(old -> refuted.stream().anyMatch(r -> isOfTheSame(old, r)));
    all.addAll(refuted);
    OwnFile.write(
        memory,
        Json.mapper()
            .writeValueAsString(
                all.subList(Math.max(0, all.size() - MOST_REMEMBERED), all.size())));
  }

  private static boolean isOfTheSame(Remembered one, Remembered other) {
    return one.model().equals(other.model())
        && one.parallelism().equals(other.parallelism())
        && one.versions().equals(other.versions())
        && one.settings().equals(other.settings());
  }

  private List<Remembered> all() throws IOException {
    try {
      return Json.mapper().readValue(Files.readString(memory), new TypeReference<>() {});
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }
}
