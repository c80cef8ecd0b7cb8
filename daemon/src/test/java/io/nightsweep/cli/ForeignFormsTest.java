package io.nightsweep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log in a form that is not read gets no all-clear, but the command that makes it text. */
@Tag("joblog")
class ForeignFormsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "'\u00ff\u00fe2\u0000', iconv -f UTF-16 -t UTF-8",
    "'\u00fe\u00ff\u00002', iconv -f UTF-16 -t UTF-8",
    "BZh91AY, bzip2 -dc",
    "'PK\u0003\u0004', unzip -p",
    "'\u007fELF', core dump"
  })
  void aFormThatIsNotReadIsNamed(String start, String told) throws Exception {
    Path log = Files.writeString(folder.resolve("job.log"), start + " and so on", ISO_8859_1);
    Typed said = Typed.line("triage", log.toString());
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said.err()).contains("cannot be read: ", told);
  }

  @Test
  void textThatBeginsAlikeIsRead() throws Exception {
    Path log = Files.writeString(folder.resolve("job.log"), "BZheng started the job\n");
    assertThat(ForeignForms.of(log)).isEmpty();
  }
}
