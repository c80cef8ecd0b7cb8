package io.nightsweep.evidence;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes findings that cite their job and files; the files are given relative to the job's
 * directory.
 */
record Citation(AttemptId attempt, String job, List<Path> roots) {
  Finding finding(String kind, Statement statement, List<Path> files, Map<String, Double> figures) {
    return new Finding(
        attempt,
        kind,
        statement,
        files.stream().map(this::source).distinct().toList(),
        new TreeMap<>(figures));
  }

  private String source(Path file) {
    return roots.stream()
        .filter(root -> file.startsWith(root) && !file.equals(root))
        .findFirst()
        .map(root -> "job " + job + ": " + root.relativize(file))
        .orElse("job " + job + ": " + file.getFileName());
  }
}
