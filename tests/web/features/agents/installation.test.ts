import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'

import {
  type Installation,
  toAgentCommand,
  toFluxManifests,
  toHelmCommands,
} from '../../../../web/src/features/agents/installation.ts'
import { quoteForShell } from '../../../../web/src/ui/installation/manifests.ts'

const installation = (overrides: Partial<Installation> = {}): Installation => ({
  agentName: 'edge-eu',
  token: 'c2VjcmV0.c2FsdA.1.8192.1',
  baseUrl: 'https://watchroom.example',
  kubernetes: { enabled: false, interval: '30m', exclusions: '' },
  telemetry: { enabled: false, label: '' },
  ...overrides,
})

/** What a real shell makes of a command: its words, one per line. */
function wordsOf(command: string): string[] {
  const text = execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
  return text.split('\n').slice(0, -1)
}

const helmInstalls = (text: string): string[][] =>
  text
    .split('\n\n')
    .filter((command) => command.startsWith('helm install'))
    .map(wordsOf)

const documentsOf = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS() as unknown)

/** Awkward in a shell, in YAML, in Helm and in HTML alike. */
const AWKWARD = `it's "a" <b> & $HOME, {x}=\\1`

describe('toHelmCommands', () => {
  it('adds the repository and installs the chart of the agent with its five values', () => {
    const text = toHelmCommands(installation())
    expect(text).toContain('helm repo add flanksource https://flanksource.github.io/charts')
    expect(text).toContain('helm repo update')
    expect(helmInstalls(text)).toEqual([
      [
        'helm',
        'install',
        'mc-agent',
        'flanksource/mission-control-agent',
        '-n',
        'mission-control-agent',
        '--create-namespace',
        '--set',
        'upstream.createSecret=true',
        '--set',
        'upstream.host=https://watchroom.example',
        '--set',
        'upstream.username=token',
        '--set',
        'upstream.password=c2VjcmV0.c2FsdA.1.8192.1',
        '--set',
        'upstream.agentName=edge-eu',
      ],
    ])
  })

  it('adds telemetry, and the chart that scrapes Kubernetes, when they are wanted', () => {
    const [agent, kubernetes] = helmInstalls(
      toHelmCommands(
        installation({
          kubernetes: { enabled: true, interval: '5m', exclusions: '' },
          telemetry: { enabled: true, label: 'north' },
        }),
      ),
    )
    expect(agent).toEqual(expect.arrayContaining(['pushTelemetry.enabled=true', 'pushTelemetry.topologyName=north']))
    expect(kubernetes).toEqual(
      expect.arrayContaining([
        'mc-agent-kubernetes',
        'flanksource/mission-control-kubernetes',
        'clusterName=edge-eu',
        'scraper.interval=5m',
      ]),
    )
  })

  it('tells the chart that scrapes Kubernetes which kinds to leave out', () => {
    const kubernetes = { enabled: true, interval: '5m', exclusions: 'Secret, a{b}c' } as const
    const [, scraper] = helmInstalls(toHelmCommands(installation({ kubernetes })))
    expect(scraper?.slice(-2)).toEqual(['--set', String.raw`scraper.exclusions.kind={Secret,a\{b\}c}`])
    expect(documentsOf(toFluxManifests(installation({ kubernetes })))[3]).toMatchObject({
      spec: { values: { scraper: { interval: '5m', exclusions: { kind: ['Secret', 'a{b}c'] } } } },
    })
  })

  it('survives the shell with any name, escapes what Helm would split, and escapes nothing for HTML', () => {
    const [agent] = helmInstalls(toHelmCommands(installation({ agentName: AWKWARD })))
    expect(agent).toContain(String.raw`upstream.agentName=it's "a" <b> & $HOME\, \{x\}=\\1`)
  })

  it.each(['007', 'true', '1e3', 'null'])('keeps the name %s a text', (agentName) => {
    expect(toHelmCommands(installation({ agentName }))).toContain(`--set-string upstream.agentName=${agentName}`)
  })
})

describe('toFluxManifests', () => {
  it('has namespace, repository and a release with the values where Flux reads them', () => {
    expect(documentsOf(toFluxManifests(installation()))).toMatchObject([
      { kind: 'Namespace', metadata: { name: 'mission-control-agent' } },
      { kind: 'HelmRepository', metadata: { name: 'flanksource', namespace: 'mission-control-agent' } },
      {
        kind: 'HelmRelease',
        metadata: { name: 'mission-control', namespace: 'mission-control-agent' },
        spec: {
          chart: {
            spec: {
              chart: 'mission-control-agent',
              sourceRef: { kind: 'HelmRepository', name: 'flanksource', namespace: 'mission-control-agent' },
            },
          },
          values: {
            upstream: {
              createSecret: true,
              host: 'https://watchroom.example',
              username: 'token',
              agentName: 'edge-eu',
              password: 'c2VjcmV0.c2FsdA.1.8192.1',
            },
          },
        },
      },
    ])
  })

  it('adds telemetry and the release that scrapes Kubernetes', () => {
    const documents = documentsOf(
      toFluxManifests(
        installation({
          kubernetes: { enabled: true, interval: '12h', exclusions: '' },
          telemetry: { enabled: true, label: 'x' },
        }),
      ),
    )
    expect(documents[2]).toMatchObject({ spec: { values: { pushTelemetry: { enabled: true, topologyName: 'x' } } } })
    expect(documents[3]).toMatchObject({
      metadata: { name: 'mission-control-kubernetes' },
      spec: {
        chart: { spec: { chart: 'mission-control-kubernetes' } },
        values: { clusterName: 'edge-eu', scraper: { interval: '12h' } },
      },
    })
  })

  it.each([AWKWARD, '007', 'true', 'on', '- x', '# x', 'a: b'])('keeps the name %s as it is', (agentName) => {
    const documents = documentsOf(toFluxManifests(installation({ agentName })))
    expect(documents[2]).toMatchObject({ spec: { values: { upstream: { agentName } } } })
  })
})

describe('toAgentCommand', () => {
  it('starts our own agent with the token in a file of its own', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wr-installation-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const token = "it's <ACCESS_TOKEN>"
    const text = toAgentCommand(installation({ agentName: "it's", token }))
    const npm = `npm() { printf '%s\\n' "$WATCHROOM_AGENT_TOKEN_FILE" "$@"; }`
    const words = execFileSync('sh', ['-c', `${npm}\n${text}`], { cwd: folder, encoding: 'utf8' })
    expect(words.trimEnd().split('\n')).toEqual([
      'agent-token',
      'run',
      'agent',
      '--',
      '--upstream',
      'https://watchroom.example',
      '--name',
      "it's",
      '--canaries',
      './canaries.yaml',
    ])
    const file = join(folder, 'agent-token')
    expect(readFileSync(file, 'utf8').trimEnd()).toBe(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('quoteForShell', () => {
  it.each(['', 'a b', "'", '$(id)', '`id`', 'ä', '*', '~', '!x'])('keeps %j one word', (text) => {
    expect(wordsOf(quoteForShell(text))).toEqual([text])
  })
})
