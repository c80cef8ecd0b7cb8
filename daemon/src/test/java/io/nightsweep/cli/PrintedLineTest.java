package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The step and the figure in a line that a person pasted. */
@Tag("people")
class PrintedLineTest {
  /** A dash means that the person is asked. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          step 9 1006 tok/s                                    ~ 9  ~ 1006 tok/s
          step 9 of 20: 151.2 MB/s                             ~ 9  ~ 151.2 MB/s
          [12/100] loss=2.5                                    ~ 12 ~ 2.5
          iter: 7, time 0.25 s                                 ~ 7  ~ 0.25 s
          0.5 s at step 3: 17.25 it/s                          ~ 3  ~ 17.25 it/s
          round 1: 12.5 MB/s                                   ~ 1  ~ 12.5 MB/s
          Epoch 1/10 step 20/100 loss 2.5 1,006.5 tok/s/device ~ 20 ~ 1,006.5 tok/s/device
          2026-11-26 15:59:57 iteration=7 took 12 seconds      ~ 7  ~ 12 s
          step9 sha256: 4123456 blocks                         ~ 9  ~ 4123456
          12%|#2     | 12/100 [00:05<00:38,  2.31it/s]         ~ 12 ~ 2.31 it/s
          type 16 bytes 64 bytes                               ~ -  ~ 64
          total: 5 files, 80 MB/s                              ~ -  ~ 80 MB/s
          max step 500: 80 MB/s                                ~ -  ~ 80 MB/s
          """)
  void theNumbersThatWordsAndUnitsTellAreRead(String line, String step, String value) {
    check(line, step, value);
  }

  /** Lines in the programs' own form. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          zstd      ~ 3#silesia.tar : 211957760 ->  66703230 (x3.178),  243.1 MB/s,  879.5 MB/s ~ - ~ -
          fio       ~ read: IOPS=51.2k, BW=200MiB/s (210MB/s)(6000MiB/30001msec)               ~ - ~ -
          iperf3    ~ [  5]   0.00-1.00   sec  1.10 GBytes  9.42 Gbits/sec                     ~ - ~ 9.42 Gbits/sec
          stream    ~ Triad:          12345.6     0.012345     0.012321     0.012400           ~ - ~ -
          stress-ng ~ stress-ng: info:  [7123] cpu   52000     10.00     39.90      0.01       ~ - ~ -
          sysbench  ~ [ 10s ] thds: 4 tps: 512.34 qps: 10246.88 lat (ms,95%): 9.22             ~ - ~ -
          mnist     ~ Train Epoch: 1 [640/60000 (1%)]	Loss: 0.3                              ~ - ~ -
          imagenet  ~ Epoch: [0][ 10/5005]	Time  0.512 ( 0.811)	Loss 6.91e+00 (7.02e+00)       ~ - ~ -
          nanogpt   ~ iter 100: loss 2.3026, time 250.12ms, mfu 12.34%                         ~ 100 ~ -
          lightning ~ Epoch 0:  50%|#####     | 470/938 [00:05<00:05, 88.12it/s, v_num=3]      ~ - ~ 88.12 it/s
          hf        ~ {'loss': 2.3026, 'grad_norm': 1.25, 'learning_rate': 5e-05, 'epoch': 0.5} ~ - ~ -
          tqdm      ~ 10%|#         | 50/500 [00:10<01:30,  4.98it/s]                          ~ 50 ~ 4.98 it/s
          keras     ~ 32/1875 [.....................] - ETA: 4s - 2ms/step - loss: 2.3026      ~ 32 ~ 2 ms/step
          megatron  ~ iteration      100/  500000 | samples:  25600 | elapsed time (ms): 1234.5 ~ 100 ~ -
          maxtext   ~ completed step: 9, seconds: 3.19, TFLOP/s/device: 250.1, loss: 10.8      ~ 9 ~ -
          detectron ~ eta: 0:01:23  iter: 19  total_loss: 1.523  lr: 0.01  max_mem: 1234M      ~ 19 ~ -
          osu       ~ 1024                    1.65                                             ~ - ~ 1.65
          imb       ~ 1024         1000         1.65       619.71                              ~ - ~ -
          hpl       ~ WR11C2R4       29184   192     2     2        29.28      5.6595e+02      ~ - ~ -
          nccl      ~ 8388608    2097152     float     sum      -1    104.2   80.47  150.89    ~ - ~ -
          llama     ~ | llama 7B mostly Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | 2189.54 ± 25.43 | ~ - ~ -
          gromacs   ~ step 5000, remaining wall clock time:    12 s                            ~ 5000 ~ 12 s
          lammps    ~ 100    1.6458834   -6.7773345            0   -4.3085925                  ~ - ~ -
          lammps    ~ Loop time of 1.5 on 4 procs for 100 steps with 4000 atoms                ~ - ~ -
          openssl   ~ Doing sha256 for 1s on 64 size blocks: 4123456 sha256's in 0.99s         ~ - ~ -
          wrk       ~ Requests/sec:  12345.67                                                  ~ - ~ 12345.67
          """)
  void ofRealProgramsNothingIsGuessed(String program, String line, String step, String value) {
    check(line, step, value);
  }

  private static void check(String line, String step, String value) {
    PrintedLine.NumberChoice steps = PrintedLine.steps(line);
    assertThat(sure(steps).map(MatchResult::group).orElse("-")).isEqualTo(step);
    Optional<MatchResult> counted = steps.numbers().stream().findFirst();
    MatchResult other = counted.orElseGet(() -> nothing(line));
    PrintedLine.NumberChoice values = PrintedLine.values(line, other);
    assertThat(
            sure(values)
                .map(v -> new PrintedLine(line, other, v))
                .map(read -> read.value().group() + read.unit().map(u -> " " + u).orElse(""))
                .orElse("-"))
        .isEqualTo(value);
    if (counted.isPresent()) {
      for (MatchResult v : values.numbers()) {
        Matcher matcher =
            Pattern.compile(new PrintedLine(line, counted.get(), v).pattern()).matcher(line);
        assertThat(matcher.find()).isTrue();
        assertThat(matcher.group("step")).isEqualTo(counted.get().group());
        assertThat(matcher.group("value")).isEqualTo(v.group());
      }
    }
  }

  private static Optional<MatchResult> sure(PrintedLine.NumberChoice found) {
    return found.numbers().stream().findFirst().filter(n -> found.isSure());
  }

  private static MatchResult nothing(String line) {
    return Pattern.compile("$").matcher(line).results().findFirst().orElseThrow();
  }

  private static PrintedLine read(String line) {
    MatchResult step = sure(PrintedLine.steps(line)).orElseThrow();
    return new PrintedLine(line, step, sure(PrintedLine.values(line, step)).orElseThrow());
  }

  /** Lines of other steps have other digits, and more or fewer of them. */
  @Test
  void thePatternFitsTheLinesOfOtherSteps() {
    String pattern = read("2026-11-26 15:59:57 rank0 step 9 of 10: 1,006.5 tok/s").pattern();
    Matcher later =
        Pattern.compile(pattern).matcher("2026-11-27 00:00:01 rank0 step 10 of 10: 987.5 tok/s");
    assertThat(later.find()).isTrue();
    assertThat(later.group("step")).isEqualTo("10");
    assertThat(later.group("value")).isEqualTo("987.5");
  }

  @Test
  void aProgressBarFitsWhileItGrows() {
    String pattern = read(" 40%|####      | 4/10 [00:01<00:02, 10.33it/s]").pattern();
    for (String other :
        List.of(
            " 12%|#2        | 12/100 [00:05<00:38,  2.31it/s]",
            "100%|██████████| 10/10 [00:01<00:00,  9.10it/s]")) {
      Matcher matcher = Pattern.compile(pattern).matcher(other);
      assertThat(matcher.find()).as("%s in %s", pattern, other).isTrue();
      assertThat(other).contains("| " + matcher.group("step") + "/");
      assertThat(other).contains(matcher.group("value") + "it/s");
    }
  }

  @Test
  void whatTheLineCallsALossIsReadAsThat() {
    PrintedLine line = read("step 9 1006 tok/s, train_loss: 2.5");
    assertThat(line.words()).isEqualTo("step 9, value 1006 tok/s, loss 2.5");
    for (String loss : List.of("1.25e-03", "nan")) {
      Matcher later =
          Pattern.compile(line.pattern()).matcher("step 10 987.5 tok/s, train_loss: " + loss);
      assertThat(later.find()).isTrue();
      assertThat(later.group("loss")).isEqualTo(loss);
    }
    assertThat(read("step 9 1006 tok/s, loss 2.5, val_loss 2.75").loss())
        .as("of several a person chooses")
        .isEmpty();
    assertThat(read("step 9 loss 2.5").loss()).as("what is measured").isEmpty();
  }

  /** Other steps' figures have other signs and exponents. */
  @Test
  void aFigureMayBeNegativeOrHaveAnExponent() {
    String line = "step 9: energy -6.77 5.6595e+02";
    MatchResult step = PrintedLine.steps(line).numbers().getFirst();
    List<MatchResult> values = PrintedLine.values(line, step).numbers();
    assertThat(values).extracting(MatchResult::group).containsExactly("-6.77", "5.6595e+02");
    Matcher matcher =
        Pattern.compile(new PrintedLine(line, step, values.getLast()).pattern())
            .matcher("step 10: energy 0.5 12.25");
    assertThat(matcher.find()).isTrue();
    assertThat(matcher.group("value")).isEqualTo("12.25");
  }

  @ParameterizedTest
  @CsvSource({
    "AES-128-CBC     1283920.12k  1402001.32k  1450000.00k",
    "speed 151.2 MB/s",
    "done",
    "12% of 512k and sha256"
  })
  void aLineWithoutAWholeNumberHasNoStep(String line) {
    assertThat(PrintedLine.steps(line).numbers()).isEmpty();
  }
}
