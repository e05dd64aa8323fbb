import { expect, type Locator, type Page } from 'playwright/test'

/** One incident as a responder sees it. */
export class IncidentPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Opens a new incident through the list's dialog and returns its address. */
  async create(title: string): Promise<string> {
    if (new URL(this.page.url()).pathname !== '/incidents') await this.page.goto('/incidents')
    await this.page.getByRole('button', { name: /create new incident/i }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(this.page).toHaveURL(/\/incidents\/[\da-f-]{36}/)
    await expect(this.title).toHaveValue(title)
    return new URL(this.page.url()).pathname
  }

  async expectOpen(): Promise<void> {
    await expect(this.page.getByRole('tab', { name: 'Action Plan' })).toBeVisible()
  }

  get title(): Locator {
    return this.page.getByRole('textbox', { name: 'Title of the incident' })
  }

  /** The title as people see it who may only read. */
  get shownTitle(): Locator {
    return this.page.locator('header[data-tone] strong')
  }

  get status(): Locator {
    return this.page.getByRole('button', { name: /^Status: / })
  }

  async showPlan(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Action Plan' }).click()
  }

  hypothesis(title: string): Locator {
    return this.page.getByRole('treeitem').filter({ hasText: title })
  }

  /** Titles of the tree from top to bottom, each behind as many dots as it stands deep. */
  async outline(): Promise<string[]> {
    return this.page
      .getByRole('treeitem')
      .evaluateAll((rows) =>
        rows.map(
          (row) =>
            '.'.repeat(Number(row.getAttribute('aria-level')) - 1) +
            (row.querySelector('[data-name]')?.textContent ?? ''),
        ),
      )
  }

  /** Adds a hypothesis at the top, behind the others. */
  async addHypothesis(title: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add hypothesis' }).click()
    await this.page.getByRole('textbox', { name: 'Title of the new root' }).fill(title)
    await this.page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(this.hypothesis(title)).toBeVisible()
  }

  /** Does something with a hypothesis by its menu. */
  async order(title: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions of ${title}` }).click()
    await this.page.getByRole('menuitem', { name: action }).click()
    // The menu fades; the next one must not open beside it.
    await expect(this.page.getByRole('menuitem')).toHaveCount(0)
  }

  /** Opens a section of the side panel. */
  async openSection(name: 'Details' | 'Definition of done' | 'Changelog'): Promise<void> {
    const section = this.page.getByRole('button', { name, exact: true })
    if ((await section.getAttribute('aria-expanded')) === 'false') await section.click()
  }

  get pill(): Locator {
    return this.page.locator('.collab-save')
  }

  async expectSaved(timeout = 15_000): Promise<void> {
    // Exactly: the same pill says "Not saved: …".
    await expect(this.page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible({ timeout })
  }
}
