import { describe, expect, it } from 'vitest'

import { evaluateLook } from '../../../../gateway/src/check-runner/evaluateLook.ts'
import { createPlaybookJudge } from '../../../../gateway/src/embedded-backend/playbooks/judgePlaybook.ts'

const judge = createPlaybookJudge(async (look) => evaluateLook(look))
const actions = [{ name: 'wait', delay: '1s' }]

describe('a playbook that is written', () => {
  it.each([
    {},
    { spec: undefined },
    { spec: null },
    { spec: { actions } },
    { spec: { actions, timeout: '2h', on: { schedule: '@every 1h' } } },
    { spec: { actions, on: { schedule: '0 6 * * 1-5' } } },
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
    [{ actions: [{ ...actions[0], if: 'params.' }] }, 'spec.actions.0.if: '],
    [{ actions: [{ ...actions[0], if: 'alway()' }] }, 'spec.actions.0.if: '],
    [{ actions, filters: ['"yes"'] }, 'spec.filters.0: must be true or false'],
    [{ actions, on: { schedule: '' } }, 'spec.on.schedule: '],
    [{ actions, on: { schedule: '@every 1ms' } }, 'spec.on.schedule: '],
    [
      { actions, on: { component: [{ event: 'check.failed' }] } },
      'spec.on.component.0.event: "check.failed" is none of',
    ],
    [{ actions, on: { config: [{ event: 'created', filter: 'config.' }] } }, 'spec.on.config.0.filter: '],
  ])('may not be %j', async (spec, fault) => {
    expect((await judge({ spec }))?.slice(0, fault.length)).toBe(fault)
  })
})
