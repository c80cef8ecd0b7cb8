package io.nightsweep.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * Commands of a Slurm of one node; in their answers every text that people choose, such as a job's
 * comment, contains a secret. This Slurm gives no answer at first, refuses the third job, and does
 * not report how the second one ended, whose wrapper a program can kill.
 */
final class PlantedSlurm {
  private static final List<String> COMMANDS =
      List.of("sinfo", "squeue", "scontrol", "sbatch", "srun", "scancel", "sacct");

  private static final String SCRIPT =
      """
      #!/bin/bash
      here=$(dirname "$0") now=$(date +%s) said='@SAID@'
      jobs() { for job in "$here"/jobs/*.name; do [ ! -e "$job" ] || basename "$job" .name; done; }
      # A dead process that nobody waits for has no command line any more.
      is_running() { tr -d '\\0' <"/proc/$(cat "$here/jobs/$1.pid")/cmdline" 2>/dev/null | grep -q .; }
      case "${0##*/} $*" in
        *--version) echo slurm 23.11.4 ;;
        sinfo*) echo "n1|idle|batch*|none" ;;
        squeue*)
          if [ ! -e "$here/asked" ]; then
            touch "$here/asked"
            echo "squeue: error: Unable to contact slurm controller, job 3 ($said)" >&2
            exit 1
          fi
          for id in $(jobs); do
            name=$(cat "$here/jobs/$id.name")
            if is_running "$id"; then
              state=RUNNING
              [ -n "$(find "$here/jobs/$id.name" -mmin +0.02)" ] || state=PENDING
              echo "$id|$state|$now|n1||$USER|$name|$name $said|$said"
            fi
          done
          echo "3|RUNNING|1|n1||bob|x|$said|$said" ;;
        scontrol*config*) echo "AccountingStorageType = @BOOKS@" ;;
        scontrol*job*)
          id=${@: -1} state=RUNNING
          is_running "$id" || state=FAILED
          echo "JobId=$id JobName=$(cat "$here/jobs/$id.name") JobState=$state ExitCode=1:0" \
            "StartTime=$now EndTime=$now NodeList=n1 Reason=$said Comment=$said" ;;
        sacct*)
          for id in $(jobs); do
            state=RUNNING name=$(cat "$here/jobs/$id.name")
            is_running "$id" || state=FAILED
            echo "$id|$state|1:0|$now|$now|n1|$name $said|$name"
          done ;;
        sbatch*)
          for word; do
            case $word in
              --job-name=*) name=${word#*=} ;;
              --output=*) log=${word#*=} ;;
            esac
          done
          id=$((7 + $(jobs | wc -l)))
          if [ $id = 9 ] && [ ! -e "$here/refused" ]; then
            touch "$here/refused"
            echo "sbatch: error: the comment '$said' is not permitted" >&2
            exit 1
          fi
          SLURM_JOB_ID=$id SLURM_JOB_NUM_NODES=1 setsid bash "$word" >"$log" 2>&1 </dev/null &
          echo $! >"$here/jobs/$id.pid"
          echo "$name" >"$here/jobs/$id.name"
          echo "sbatch: warning: the comment is '$said'" >&2
          echo $id ;;
        srun*)
          while [[ $1 == --* ]]; do shift; done
          exec "$@" ;;
        *) echo "error: $said" >&2; exit 1 ;;
      esac
      """;

  private PlantedSlurm() {}

  /**
   * Writes the commands.
   *
   * @param said the text that contains a secret
   * @param books where Slurm claims to keep its accounting
   */
  static Path commands(Path folder, String said, String books) throws IOException {
    Files.createDirectories(folder.resolve("jobs"));
    for (String command : COMMANDS) {
      Path file =
          Files.writeString(
              folder.resolve(command), SCRIPT.replace("@SAID@", said).replace("@BOOKS@", books));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
    return folder;
  }
}
