package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which texts of compiled modules are one program, on a real module and one in a GPU's grammar. */
@Tag("hours")
@net.jqwik.api.Tag("hours")
class HloProgramTest {
  private static final Pattern NAME = Pattern.compile("%[A-Za-z0-9_.-]+");
  private static final Pattern METADATA = Pattern.compile(", metadata=\\{[^}]*}");

  /** A letter or digit that carries meaning. */
  private static final Pattern WORD = Pattern.compile("[a-z0-9]");

  private static final List<String> MODULES =
      Stream.of(
              "module.jit_train_step.cpu_after_optimizations.txt.gz",
              "module.jit_train_step.gpu_after_optimizations.txt")
          .map(HloProgramTest::text)
          .toList();

  @Property(tries = 40)
  void namesMetadataPathsAndTheModulesNumberMakeNoDifference(@ForAll long seed) {
    for (String module : MODULES) {
      assertThat(hash(disguised(module, new Random(seed)))).isEqualTo(hash(module));
    }
  }

  /** Changes one letter or digit of any instruction, outside names and metadata. */
  @Property(tries = 300)
  void anythingElseDoes(@ForAll long seed) {
    Random random = new Random(seed);
    for (String module : MODULES) {
      String changed = changed(module, random);
      assertThat(hash(changed)).as("%s", difference(module, changed)).isNotEqualTo(hash(module));
    }
  }

  @Property(tries = 100)
  void anotherOperandDoes(@ForAll long seed) {
    Random random = new Random(seed);
    for (String module : MODULES) {
      String changed = rewired(module, random);
      assertThat(hash(changed)).as("%s", difference(module, changed)).isNotEqualTo(hash(module));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          add(               | subtract(
          f32[4,8]           | f32[8,4]
          f32[4,8]           | bf16[4,8]
          {1,0}              | {0,1}
          dimensions={0}     | dimensions={1}
          [1,2]<=[2]         | [2,1]<=[2]
          "algorithm":"7"    | "algorithm":"8"
          "is_sync":false    | "is_sync":true
          num_partitions=2   | num_partitions=4
          """)
  void whatTheCompilerDecidedCounts(String was, String is) {
    assertThat(MODULE).contains(was);
    assertThat(hash(MODULE.replace(was, is))).isNotEqualTo(hash(MODULE));
  }

  @Test
  void theScheduleCounts() {
    assertThat(hash(MODULE.replace(FIRST + SECOND, SECOND + FIRST))).isNotEqualTo(hash(MODULE));
  }

  @Test
  void theFingerprintOfWhatWasScheduledDoesNot() {
    assertThat(MODULE).contains("fingerprint_before_lhs=\"1f0c\"");
    assertThat(hash(MODULE.replace("1f0c", "77aa"))).isEqualTo(hash(MODULE));
  }

  /** Without the sign of a name two different computations could look the same. */
  @Test
  void namesWithoutASignStandForThemselves() {
    String plain = MODULE.replace("%", "");
    String swapped =
        plain
            .replace("to_apply=sum", "to_apply=?")
            .replace("sum (", "max (")
            .replace("to_apply=?", "to_apply=sum");
    assertThat(hash(swapped)).isNotEqualTo(hash(plain));
  }

  @ParameterizedTest
  @CsvSource({"0, it is empty", "9, it is not an HLO text", "500, it is cut off at byte"})
  void aPartOfAModuleIsNoProgram(int bytes, String why) throws IOException {
    byte[] text = MODULE.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(
            Samples.unreadable(
                HloProgram.of(Path.of("m.txt"), new ByteArrayInputStream(text, 0, bytes))))
        .contains(why);
  }

  private static final String FIRST = "  %c.1 = f32[4,8]{1,0} copy(%p.1)\n";
  private static final String SECOND =
      "  %c.2 = f32[4,8]{1,0} copy(%p.1)\n".replace("copy", "negate");

  private static final String MODULE =
      """
      HloModule jit_train_step.7, is_scheduled=true, num_partitions=2, frontend_attributes={fingerprint_before_lhs="1f0c"}

      FileNames
      1 "/home/someone/train.py"

      %sum (x: f32[], y: f32[]) -> f32[] {
        %x = f32[] parameter(0)
        %y = f32[] parameter(1)
        ROOT %add.1 = f32[] add(%x, %y), metadata={op_name="jit(f)/add" source_file="/a/b.py" source_line=3}
      }

      ENTRY %main (p.1: f32[4,8]) -> f32[8,8] {
        %p.1 = f32[4,8]{1,0} parameter(0), metadata={op_name="weights[\\"up}\\"]"}
      """
          + FIRST
          + SECOND
          + """
        %g = f32[8,8]{1,0} all-gather(%c.1), channel_id=1, replica_groups=[1,2]<=[2], dimensions={0}, backend_config={"is_sync":false}
        %r = f32[8,8]{1,0} all-reduce(%g), to_apply=%sum, metadata={op_name="x"}
        ROOT %dot.1 = f32[8,8]{1,0} custom-call(%r, %c.2), custom_call_target="__cublas$gemm", backend_config={"algorithm":"7"}
      }
      """;

  private static String disguised(String module, Random random) {
    Map<String, String> names = new HashMap<>();
    String renamed =
        NAME.matcher(module)
            .replaceAll(
                m ->
                    names.computeIfAbsent(
                        m.group(), n -> "%n" + names.size() + "." + random.nextInt(9)));
    String moved =
        METADATA
            .matcher(renamed)
            .replaceAll(
                m ->
                    random.nextBoolean()
                        ? ""
                        : ", metadata={op_name=\"j/"
                            + random.nextInt(99)
                            + "\" stack_frame_id="
                            + random.nextInt(9)
                            + "}");
    return moved
        .replaceFirst("HloModule [^,\n]*", "HloModule jit_train_step." + random.nextInt(999))
        .replaceFirst("(?m)^1 \".*\"$", "1 \"/tmp/" + random.nextInt(99) + ".py\"");
  }

  private static String changed(String module, Random random) {
    while (true) {
      List<String> lines = new ArrayList<>(module.lines().toList());
      int at = random.nextInt(lines.size());
      String line = lines.get(at);
      if (!line.startsWith("  ")) {
        continue;
      }
      // Blanked in place, so that positions do not change.
      String bare = blanked(NAME, blanked(METADATA, line));
      Matcher place = WORD.matcher(bare);
      if (!place.find(random.nextInt(bare.length()))) {
        continue;
      }
      char was = line.charAt(place.start());
      char is = was == '1' ? '2' : Character.isDigit(was) ? '1' : was == 'q' ? 'z' : 'q';
      lines.set(at, line.substring(0, place.start()) + is + line.substring(place.start() + 1));
      return String.join("\n", lines) + "\n";
    }
  }

  private static String rewired(String module, Random random) {
    while (true) {
      List<String> lines = new ArrayList<>(module.lines().toList());
      int at = random.nextInt(lines.size());
      String line = lines.get(at);
      Matcher names = NAME.matcher(line.startsWith("  ") ? line : "");
      List<int[]> operands = new ArrayList<>();
      while (names.find()) {
        operands.add(new int[] {names.start(), names.end()});
      }
      if (operands.size() < 2) {
        continue;
      }
      // The first operand is the instruction's own name.
      int[] operand = operands.get(1 + random.nextInt(operands.size() - 1));
      String own = line.substring(operands.getFirst()[0], operands.getFirst()[1]);
      lines.set(at, line.substring(0, operand[0]) + own + line.substring(operand[1]));
      return String.join("\n", lines) + "\n";
    }
  }

  private static String blanked(Pattern what, String line) {
    return what.matcher(line).replaceAll(m -> "#".repeat(m.group().length()));
  }

  private static String difference(String module, String changed) {
    List<String> was = module.lines().toList();
    List<String> is = changed.lines().toList();
    for (int i = 0; i < was.size(); i++) {
      if (!was.get(i).equals(is.get(i))) {
        return was.get(i) + "\nagainst\n" + is.get(i);
      }
    }
    return "nothing was changed";
  }

  private static String hash(String module) {
    try {
      return Samples.whole(
              HloProgram.of(
                  Path.of("module.txt"),
                  new ByteArrayInputStream(module.getBytes(StandardCharsets.ISO_8859_1))))
          .hash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String sample) {
    try (var raw = Files.newInputStream(Samples.file(sample));
        var in = sample.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
