import { describe, expect, it } from 'vitest'

import { fillTemplate } from '../../../../../web/src/features/incident-room/responders/fillTemplate.ts'

const values = {
  project: 'OPS',
  count: 3,
  empty: null,
  incident: { title: 'Labels are late', status: 'Open', commander: { name: 'Ana' } },
}

describe('fillTemplate', () => {
  it.each([
    { template: 'No placeholders', text: 'No placeholders' },
    { template: '<%= project %>: <%= incident.title %>', text: 'OPS: Labels are late' },
    { template: '<%- incident.commander.name %>', text: 'Ana' },
    { template: '<%=project%>', text: 'OPS' },
    { template: '${incident.status} in ${ project }', text: 'Open in OPS' },
    { template: '${count} times', text: '3 times' },
    { template: '[<%= incident.gone.further %>]', text: '[]' },
    { template: '[${empty}]', text: '[]' },
    { template: '[<%= incident %>]', text: '[]' },
    { template: '[${incident.title.length}]', text: '[]' },
    { template: '[${constructor.name}]', text: '[]' },
    { template: '<%= alert(1) %>', text: '<%= alert(1) %>' },
    { template: '<% if (project) { %>', text: '<% if (project) { %>' },
  ])('makes "$text" of "$template"', ({ template, text }) => {
    expect(fillTemplate(template, values)).toBe(text)
  })

  it('does not fill what a value brings along', () => {
    expect(fillTemplate('${title}', { title: '${secret} $& <%= secret %>', secret: 'x' })).toBe(
      '${secret} $& <%= secret %>',
    )
  })
})
