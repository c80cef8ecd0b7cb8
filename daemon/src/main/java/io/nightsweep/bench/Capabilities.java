package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Queries the kernel program for the cases that it can measure; only the program knows the rules
 * and how ids are made.
 */
final class Capabilities {
  private final Path program;
  private final int divisor;

  /**
   * @param divisor of all sizes, for a rehearsal; 1 for the study's own sizes
   */
  Capabilities(Path program, int divisor) {
    this.program = program;
    this.divisor = divisor;
  }

  /**
   * The program's answer for one case.
   *
   * @param refusal absent where the case can run
   * @param modelled its time on the program's reference machine; absent where it cannot run
   */
  record CaseCapability(
      String caseId,
      ObjectNode identity,
      Optional<PlannedCase.CaseRefusal> refusal,
      CaseProjection modelled) {}

  /**
   * One answer for each case, in order.
   *
   * @throws IOException with the program's message, where a case has an unknown parameter or value
   */
  List<CaseCapability> judge(List<ObjectNode> cases) throws IOException, InterruptedException {
    ArrayNode all = BenchJson.MAPPER.createArrayNode();
    cases.forEach(all::add);
    Path file = Files.createTempFile("nightsweep-cases", ".json");
    try {
      BenchJson.MAPPER.writeValue(file.toFile(), all);
      JsonNode answers = BenchJson.MAPPER.readTree(asked(file));
      if (answers.size() != cases.size()) {
        throw new IOException(
            "the program judged "
                + answers.size()
                + " cases where "
                + cases.size()
                + " were asked");
      }
      List<CaseCapability> judged = new ArrayList<>();
      for (JsonNode answer : answers) {
        judged.add(answer(answer));
      }
      return judged;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private String asked(Path cases) throws IOException, InterruptedException {
    Path words = Files.createTempFile("nightsweep-capabilities", ".log");
    try {
      Process process =
          new ProcessBuilder(
                  program.toString(),
                  "capabilities",
                  "--json",
                  "--scale",
                  Integer.toString(divisor),
                  "--cases",
                  cases.toString())
              .redirectError(words.toFile())
              .start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("the program refuses the study: " + Files.readString(words).strip());
      }
      return out;
    } finally {
      Files.deleteIfExists(words);
    }
  }

  private static CaseCapability answer(JsonNode answer) throws IOException {
    String verdict = answer.path("verdict").asText();
    Optional<PlannedCase.CaseRefusal> refusal =
        switch (verdict) {
          case "runnable" -> Optional.empty();
          case "unsupported", "dropped" ->
              Optional.of(
                  new PlannedCase.CaseRefusal(
                      CaseDisposition.of(verdict),
                      answer.path("rule").asText(),
                      answer.path("reason").asText()));
          default -> throw new IOException("unknown verdict '" + verdict + "'");
        };
    if (answer.path("identity") instanceof ObjectNode identity) {
      return new CaseCapability(
          answer.path("id").asText(),
          identity,
          refusal,
          new CaseProjection(
              answer.path("fixedSeconds").asDouble(),
              answer.path("roundSeconds").asDouble(),
              CaseProjection.Basis.MODELLED));
    }
    throw new IOException("an answer without an identity");
  }
}
