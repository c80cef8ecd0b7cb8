#!/usr/bin/env bash
# Prints which code a job ran: the commit and the differences from it.
echo "=== GIT SUMMARY BEGIN ==="
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  echo "[BRANCH]"
  git status --branch --short
  printf '\n[LAST COMMIT]\n'
  git --no-pager log -1 --pretty=format:'%h %s (%ad) <%an>'
  printf '\n[LAST COMMIT DIFF --stat]\n'
  git --no-pager show --stat --oneline
  printf '\n[CHANGES --name-status]\n'
  git --no-pager diff --cached --name-status
  git --no-pager diff --name-status
  printf '\n[DIFF]\n'
  git --no-pager diff
  printf '\n[UNTRACKED]\n'
  git ls-files --others --exclude-standard
else
  echo "[WARN] current directory is not a git worktree: $PWD"
fi
echo "=== GIT SUMMARY END ==="
