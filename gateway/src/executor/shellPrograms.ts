// The shell programs around a script. They hold no word of the script, its environment or a secret: those come over descriptor 4,
// so that they stand in no list of processes and bend none of these programs, which run with more rights than the script.

import type { WantedFiles } from './contract.ts'

/** Limits of one process, and how many there may be. The script cannot raise them. */
const LIMITS = {
  /** Seconds of processor time: the end of what nobody ended. */
  cpu: 600,
  /** Bytes of memory of its own. */
  data: 512 * 2 ** 20,
  /** Bytes of one file. */
  fsize: 64 * 2 ** 20,
  nofile: 256,
  core: 0,
} as const
/** Each run has a namespace of users, in which the kernel counts its processes alone. */
const PROCESSES_OF_A_RUN = 64
/** Without one it counts those of all runs together, since they have the same user. */
const PROCESSES_OF_A_USER = 256
/** Bytes that a run can write in all; they are memory. */
const SCRATCH = '64m'

/**
 * Leads the process group, outside of what the script can see or signal. Its watcher kills the group when our end of
 * descriptor 3 closes, which it does however we end; the trap keeps the leader alive while the script answers a TERM.
 */
export const TIED =
  'trap : TERM; (read _; kill -KILL -$$) <&3 4<&- >/dev/null 2>&1 & w=$!; "$@" 3<&-; s=$?; kill $w 2>/dev/null; exit $s'

/** Reads what to run, tells that it is here, and becomes it: what is read closes descriptor 4 to whatever people wrote. */
const READ_AND_RUN = 'p=$(cat <&4); echo >&4; eval "$p"'

/**
 * First process of the namespaces, and with its end the kernel ends all others. `$1` working directory, `$2` uid, `$3` gid, `$4`
 * the program to run in the end; the rest are paths that must not be seen. What cannot be hidden or kept from writing ends it.
 */
const PREPARE = `
work=$1 uid=$2 gid=$3 run=$4; shift 4
trap : TERM
fail() { echo "cannot be confined: $*" >&2; exit 125; }
echo 1000 2>/dev/null >/proc/self/oom_score_adj
mounts=$(while read -r _ _ _ _ at options _; do echo "$options $at"; done </proc/self/mountinfo)
while read -r options at; do
  case $at in /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) continue ;; esac
  case ,$options, in *,ro,*) continue ;; esac
  at=$(printf %b "$(printf %s "$at" | sed 's/\\\\/\\\\0/g')")
  mount -o "remount,bind,ro,\${options#rw,}" "$at" 2>/dev/null ||
    mount -t tmpfs -o ro,mode=0 tmpfs "$at" 2>/dev/null || [ ! -e "$at" ] || fail "$at stays writable"
done <<END
$mounts
END
for at in "$@"; do
  if [ -d "$at" ]; then mount -t tmpfs -o ro,mode=0,size=4k tmpfs "$at" || fail "$at stays visible"
  elif [ -e "$at" ]; then mount --bind /dev/null "$at" || fail "$at stays visible"
  fi
done
for at in /tmp /var/tmp /dev/shm; do
  [ ! -d $at ] || mount -t tmpfs -o nosuid,nodev,size=${SCRATCH},mode=1777 tmpfs $at || fail "$at stays shared"
done
mkdir -m 700 "$work" && cd "$work" || fail "there is no working directory"
unshare --user --map-user="$uid" --map-group="$gid" -- ${limitCommand(PROCESSES_OF_A_RUN).join(' ')} -- sh -c "$run"
exit $?`

export interface ShellUser {
  readonly uid: number
  readonly gid: number
}

/** Takes every right but the user's own: no groups, no capabilities. */
function asUser({ uid, gid }: ShellUser, extra: readonly string[] = []): string[] {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return ['setpriv', ...ids, '--inh-caps=-all', '--bounding-set=-all', ...extra, '--']
}

function limitCommand(processes: number): string[] {
  return ['prlimit', ...Object.entries({ ...LIMITS, nproc: processes }).map(([name, limit]) => `--${name}=${limit}`)]
}

/**
 * @param user whom to become first; null when we are not root
 * @param inside whom the script sees itself as
 */
export function namespaceCommand(
  user: ShellUser | null,
  inside: ShellUser,
  workPath: string,
  hidden: readonly string[],
): string[] {
  const namespaces = [
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '--pid',
    '--ipc',
    '--fork',
    '--kill-child',
    '--mount-proc',
  ]
  return [
    ...(user ? asUser(user) : []),
    ...namespaces,
    '--',
    'sh',
    '-c',
    PREPARE,
    'sh',
    workPath,
    String(inside.uid),
    String(inside.gid),
    READ_AND_RUN,
    ...hidden,
  ]
}

/** The working directory is the caller's to make, to give away and to remove. */
export function userCommand(user: ShellUser, workPath: string): string[] {
  const run = ['sh', '-c', `cd "$1" || exit 125; shift; ${READ_AND_RUN}`, 'sh', workPath]
  return [...asUser(user, ['--no-new-privs']), ...limitCommand(PROCESSES_OF_A_USER), '--', ...run]
}

/** What the script's shell reads and becomes: its environment, then the script as it was written, on the line where it began. */
export function toPayload(script: string, env: Readonly<Record<string, string>>, wanted?: WantedFiles): string {
  const assignments = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}`)
  const own = `unset p LC_ALL OLDPWD; ${assignments.map((text) => `${text}; `).join('')}`
  return wanted ? `${own}sh -c ${quote(script)} 4<&-; ${collect(wanted)}` : `${own}exec 4<&-; ${script}`
}

/**
 * After the script, with its rights and no more: each file as a line of its name and its content, both in base64. What people wrote
 * stands nowhere in it but the patterns, which are of a few harmless letters.
 */
const collect = ({ patterns, maxFiles, maxBytes }: WantedFiles): string => `s=$?; n=0; left=${maxBytes}
PATH=/usr/local/bin:/usr/bin:/bin
for f in ${patterns.join(' ')}; do
  [ -f "$f" ] && [ ! -L "$f" ] || continue
  size=$(wc -c <"$f") || continue
  if [ "$n" -ge ${maxFiles} ] || [ "$size" -gt "$left" ]; then
    echo "[$f was not kept: a step keeps ${maxFiles} files of together $((${maxBytes} / 1048576)) MiB]" >&2
    continue
  fi
  n=$((n + 1)) left=$((left - size))
  { printf %s "$f" | base64 | tr -d '\\n'; printf ' '; head -c "$size" "$f" | base64 | tr -d '\\n'; echo; } >&4
done
exit $s`

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
