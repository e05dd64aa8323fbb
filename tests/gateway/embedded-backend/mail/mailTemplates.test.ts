import { describe, expect, it } from 'vitest'

import {
  type MailContent,
  MailSchema,
  renderMail,
} from '../../../../gateway/src/embedded-backend/mail/mailTemplates.ts'

const URL_OF_LINK = 'https://watch.example/recovery?token=a&flow=b'
const link = { url: URL_OF_LINK, minutes: 15 }
const code = { code: '482913', minutes: 15 }

describe('renderMail', () => {
  it.each<[MailContent, string, string]>([
    [{ template: 'recovery_code', data: code }, 'Your code to recover your account', '482913'],
    [{ template: 'recovery_link', data: link }, 'Recover your account', URL_OF_LINK],
    [{ template: 'verification_code', data: code }, 'Your code to verify your e-mail address', '482913'],
    [{ template: 'verification_link', data: link }, 'Verify your e-mail address', URL_OF_LINK],
    [
      { template: 'invitation', data: { url: URL_OF_LINK, invitedBy: 'Ada Byron', days: 7 } },
      'You are invited to Watchroom',
      'Ada Byron invites you to Watchroom.',
    ],
    [
      { template: 'notification', data: { title: 'Checkout is down', text: 'Since 12:00', url: URL_OF_LINK } },
      'Checkout is down',
      'Since 12:00',
    ],
  ])('says the same as text and as HTML: $0.template', (mail, subject, said) => {
    const rendered = renderMail(mail)
    expect(rendered.subject).toBe(subject)
    expect(rendered.text).toContain(said)
    expect(rendered.html).toContain(said.replaceAll('&', '&amp;'))
  })

  it('says how long a code and a link work, one minute and one day included', () => {
    expect(renderMail({ template: 'recovery_code', data: code }).text).toContain('It works for 15 minutes.')
    expect(renderMail({ template: 'recovery_link', data: { ...link, minutes: 1 } }).text).toContain('for 1 minute.')
    const invitation = renderMail({ template: 'invitation', data: { url: URL_OF_LINK, invitedBy: '', days: 1 } })
    expect(invitation.text).toContain('You are invited to Watchroom.')
    expect(invitation.text).toContain('for 1 day.')
  })

  it('takes names and titles for text: no markup, and one line in the subject', () => {
    const hostile = 'Eve\r\nBcc: all@example.org\u2028<img src=x onerror=alert(1)>'
    const notification = renderMail({ template: 'notification', data: { title: hostile, text: hostile } })
    expect(notification.subject).toBe('Eve Bcc: all@example.org <img src=x onerror=alert(1)>')
    expect(notification.html).not.toContain('<img')
    const invitation = renderMail({ template: 'invitation', data: { url: URL_OF_LINK, invitedBy: hostile, days: 7 } })
    expect(invitation.html).toContain('&lt;img src=x')
  })

  it('links to web addresses alone', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'ftp://host/x', 'no address']) {
      expect(MailSchema.safeParse({ template: 'recovery_link', data: { url, minutes: 5 } }).success, url).toBe(false)
    }
  })
})
