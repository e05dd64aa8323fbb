import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../../gateway/src/check-runner/evaluateLook.ts'
import { createPlaybookJudge } from '../../../../gateway/src/embedded-backend/playbooks/judgePlaybook.ts'

const judge = createPlaybookJudge({
  lookUp: async (look) => evaluateLook(look),
  findUnable: async ({ approvers: { people = [] } }) => people.filter((email) => email.startsWith('gone')),
})
const actions = [{ name: 'wait', delay: '1s' }]

describe('a playbook that is written', () => {
  it.each([
    {},
    { spec: undefined },
    { spec: null },
    { spec: { actions } },
    { spec: { actions, timeout: '2h', on: { schedule: '@every 1h' } } },
    { spec: { actions, on: { schedule: '0 6 * * 1-5' } } },
    { spec: { actions, on: { schedule: '@daily' }, parameters: [{ name: 'who', required: true, default: 'all' }] } },
    { spec: { actions, on: { webhook: { path: 'told' } }, parameters: [{ name: 'who' }] } },
    { spec: { actions, permissions: [], templatesOn: 'agent' } },
    {
      spec: {
        actions,
        on: { schedule: '@daily', canary: [{ event: 'check.failed' }], config: [{ event: 'updated' }] },
      },
    },
    { spec: { actions, on: { component: [{ event: 'unhealthy', filter: 'component.type == "Host"' }] } } },
    { spec: { actions, filters: ['config.name == "a"', 'params.size == "s" && user.email != ""'] } },
    { spec: { actions: [...actions, { name: 'after', delay: '1s', if: 'always()' }] } },
    {
      spec: {
        actions: [...actions, { name: 'after', delay: '1s', if: 'failure() || actions.wait.status == "failed"' }],
      },
    },
  ])('may be %j', async (row) => {
    expect(await judge(row)).toBeNull()
  })

  it.each([
    ['a text', 'spec: '],
    [{}, 'spec.actions: '],
    [{ actions: [] }, 'spec.actions: '],
    [{ actions, timeout: 30 }, 'spec.timeout: '],
    [{ actions, approval: { approvers: { people: 'ada' } } }, 'spec.approval.approvers.people: '],
    [{ actions, approval: { approvers: { people: ['ada@x', 'gone@x'] } } }, 'spec.approval.approvers: nobody here'],
    [
      { actions: [...actions, { name: 'agree', approval: { approvers: { people: ['gone@x', 'gone@y'] } } }] },
      'spec.actions.1.approval.approvers: nobody here can approve as gone@x, gone@y',
    ],
    [{ actions: [{ ...actions[0], if: 'params.' }] }, 'spec.actions.0.if: '],
    [{ actions: [{ ...actions[0], if: 'alway()' }] }, 'spec.actions.0.if: '],
    [{ actions, filters: ['"yes"'] }, 'spec.filters.0: must be true or false'],
    [{ actions, on: { schedule: '' } }, 'spec.on.schedule: '],
    [{ actions, on: { schedule: '@every 1ms' } }, 'spec.on.schedule: '],
    [
      { actions, on: { component: [{ event: 'check.failed' }] } },
      'spec.on.component.0.event: "check.failed" is none of',
    ],
    [
      { actions, on: { schedule: '@daily' }, parameters: [{ name: 'size' }, { name: 'who', required: true }] },
      'spec.parameters.1.default: needed',
    ],
    [
      { actions, on: { canary: [{ event: 'failed' }] }, parameters: [{ name: 'who', required: true, default: '' }] },
      'spec.parameters.0.default: needed',
    ],
    [
      { actions, on: { webhook: { path: 'told' } }, parameters: [{ name: 'who', required: true }] },
      'spec.parameters.0.default: needed',
    ],
    [{ actions, permissions: [{ team: 'dba' }] }, 'spec.permissions: not looked at here'],
    [{ actions, templatesOn: 'host' }, 'spec.templatesOn: '],
    [{ actions: [{ ...actions[0], templatesOn: 'host' }] }, 'spec.actions.0.templatesOn: '],
    [{ actions, on: { config: [{ event: 'created', filter: 'config.' }] } }, 'spec.on.config.0.filter: '],
  ])('may not be %j', async (spec, fault) => {
    expect((await judge({ spec }))?.slice(0, fault.length)).toBe(fault)
  })
})
