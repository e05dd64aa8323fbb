import type { Locator, Page } from 'playwright/test'

/** The screens where checks are defined. */
export class CanaryPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  field(label: string | RegExp): Locator {
    return this.page.getByLabel(label)
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  /** The error below a field. */
  async errorOf(label: string | RegExp): Promise<string | null> {
    const ids = (await this.field(label).getAttribute('aria-describedby')) ?? ''
    const errorId = ids.split(' ').find((id) => id.endsWith('-error'))
    return errorId === undefined ? null : this.page.locator(`[id="${errorId}"]`).textContent()
  }

  async showYaml(): Promise<void> {
    await this.page.getByRole('radio', { name: 'YAML' }).click()
    await this.page.locator('.monaco-editor .view-line').first().waitFor()
  }

  async showForm(): Promise<void> {
    await this.page.getByRole('radio', { name: 'Form' }).click()
  }

  /** Pastes over the whole text of the YAML view, or of another editor. */
  async writeYaml(text: string, editor = 'Spec as YAML'): Promise<void> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await this.page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
    // Until the editor is loaded, a text that cannot be changed stands in its place, under the same name.
    await this.page.locator('.monaco-editor').getByRole('textbox', { name: editor }).focus()
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.press('ControlOrMeta+V')
  }

  /** What the YAML view shows, line by line. */
  yamlLines(): Locator {
    return this.page.locator('.monaco-editor .view-line')
  }

  /** Marks of what is wrong in the YAML view. */
  marks(): Locator {
    return this.page.locator('.monaco-editor .squiggly-error')
  }
}
