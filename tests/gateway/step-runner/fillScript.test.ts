import { execFileSync } from 'node:child_process'

import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../gateway/src/check-runner/lookApart.ts'
import { fillScript } from '../../../gateway/src/step-runner/templates.ts'

/** In this process: what is asked here is known to end. */
const lookUp: LookUp = (look) => Promise.resolve(evaluateLook(look))
/** Would be several words, names of files, commands and quotes, if a shell read it. */
const WHO = `a * $(echo ran >&2) \`echo ran >&2\` ; echo ran "it's`
const scope = { params: { who: WHO, count: 3, sum: 'a[$(echo ran)]' } }

/** Prints each of its arguments in brackets. */
const SHOW = `show() { for a in "$@"; do printf '[%s]' "$a"; done; }\n`

/** All that it prints, complaints included. */
async function run(script: string): Promise<string> {
  const { script: filled, env } = await fillScript(SHOW + script, scope, lookUp)
  return String(execFileSync('sh', ['-c', `exec 2>&1\n${filled}`], { env: { ...env, PATH: '/usr/bin:/bin' } }))
}

describe('fillScript', () => {
  it.each([
    ['echo {{ params.who }}', 'echo "${WR_1}"'],
    ['echo "x {{ params.who }} y" {{ params.count }}', 'echo "x ${WR_1} y" "${WR_2}"'],
    [`echo 'it''s' "don't" {{ params.who }}`, `echo 'it''s' "don't" "\${WR_1}"`],
    [`# don't\necho {{ params.who }}`, `# don't\necho "\${WR_1}"`],
    [`echo \\' {{ params.who }}`, `echo \\' "\${WR_1}"`],
    ['cat <<END\nx {{ params.who }}\nEND\necho {{ params.who }}', 'cat <<END\nx ${WR_1}\nEND\necho "${WR_2}"'],
    ['x=$((1<<4))\necho {{ params.who }}', 'x=$((1<<4))\necho "${WR_1}"'],
    ['echo a#b {{ params.who }}', 'echo a#b "${WR_1}"'],
  ])('of %j makes %j', async (script, expected) => {
    const filled = await fillScript(script, scope, lookUp)
    expect(filled.script).toBe(expected)
    expect(filled.env['WR_1']).toBe(WHO)
  })

  const one = `[${WHO}]`
  it.each([
    ['bare', 'show {{ params.who }}', one],
    ['in double quotes', 'show "{{ params.who }}"', one],
    ['beside other text', 'show a{{ params.who }}"b{{ params.who }}"', `[a${WHO}b${WHO}]`],
    ['in $( ) in double quotes', 'x="$(show "{{ params.who }}" b)"; printf %s "$x"', `${one}[b]`],
    ['bare in $( ) in double quotes', 'x="$(show {{ params.who }} b)"; printf %s "$x"', `${one}[b]`],
    ['in $( ) in $( )', 'x="$(show "$(show "{{ params.who }}")")"; printf %s "$x"', `[${one}]`],
    ['in backticks in double quotes', 'x="`show "{{ params.who }}"`"; printf %s "$x"', one],
    ['after $( ) with a text', `x="$(printf 'it"s')" y='"'; show {{ params.who }} "{{ params.who }}"`, one + one],
    ['after a group', '(show a) && show {{ params.who }}', `[a]${one}`],
    ['after quotes in ${ }', `show "\${x:-"a b"}" \${y:-'}'} {{ params.who }}`, `[a b][}]${one}`],
    ['after << in a comment', `# a << b, it's\nshow {{ params.who }}`, one],
    ['after << in double quotes', 'echo "<<< Restarting >>>"\nshow {{ params.who }}', `<<< Restarting >>>\n${one}`],
    ['after << in single quotes', `echo '<<END'\nshow {{ params.who }}`, `<<END\n${one}`],
    [
      'after a here-document',
      `cat <<END-OF.TEXT\nit's {{ params.who }}\nEND-OF.TEXT\nshow {{ params.who }}`,
      `it's ${WHO}\n${one}`,
    ],
    ['after two here-documents', `cat <<A - <<'B C'\na'\nA\nb"\nB C\nshow {{ params.who }}`, `b"\n${one}`],
    ['after one with tabs', `cat <<-END\n\t'\n\tEND\nshow {{ params.who }}`, `'\n${one}`],
    [
      'behind a line that only looks like its end',
      `cat <<END\n END\n"{{ params.who }}"\nEND\nshow b`,
      ` END\n"${WHO}"\n[b]`,
    ],
    ['in $( ) in a here-document', `cat <<END\n$(show "{{ params.who }}")\nEND`, `${one}\n`],
    ['on a line that goes on', `show a \\\n{{ params.who }}`, `[a]${one}`],
    ['in a pattern', `case x in {{ params.who }}) show no;; x) show {{ params.who }};; esac`, one],
    ['as a number', 'show "$(( {{ params.count }} * 2 ))" {{ params.who }}', `[6]${one}`],
  ])('keeps a value one word %s', async (_, script, expected) => {
    expect(await run(script)).toBe(expected)
  })

  it.each([`echo '{{ params.who }}'`, `cat <<'END'\n{{ params.who }}\nEND`, `cat <<\\END\n{{ params.who }}\nEND`])(
    'refuses %j',
    async (script) => {
      await expect(fillScript(script, scope, lookUp)).rejects.toThrow('would be text of the script')
    },
  )

  it.each([
    ['a number that is none', 'x=$(( {{ params.sum }} ))', 'must be an integer'],
    ['a value in ${ }', 'x="${y:-{{ params.who }}}"', 'cannot stand inside ${…}'],
    ['a value in quotes in ${ }', 'x=${y:-"{{ params.who }}"}', 'cannot stand inside ${…}'],
    ['a value after a backslash', 'echo C:\\{{ params.who }}', 'right after a backslash'],
    ['a value after a dollar sign', 'echo "${{ params.who }}"', 'or a dollar sign'],
  ])('refuses %s', async (_, script, reason) => {
    await expect(fillScript(script, scope, lookUp)).rejects.toThrow(reason)
  })

  it.each([
    ['an escaped quote in dollar quotes', `x=$'it\\'s'\necho {{ params.who }}`],
    ['backslashes in backticks', 'x=`echo \\"{{ params.who }}\\"`'],
    ['a single quote in ${ } in double quotes', `x="\${y:-it's}"\necho {{ params.who }}`],
    ['a case in $( )', 'x="$(case a in a) echo b;; esac)"\necho {{ params.who }}'],
    ['a here-document that begins behind its $( )', 'x=$(cat <<END)\necho {{ params.who }}\nEND'],
    ['an end that is itself a variable', 'cat <<$END\necho {{ params.who }}\nEND'],
    ['a value as the end', 'cat <<{{ params.who }}\nEND'],
    ['a here-document that ends in its own $( )', 'cat <<END\n$(\nEND\necho {{ params.who }})'],
    ['an end in two lines', 'cat <<END\nEN\\\nD\necho {{ params.who }}\nEND'],
  ])('refuses a value after %s', async (_, script) => {
    await expect(fillScript(script, scope, lookUp)).rejects.toThrow('shells differ')
  })
})
