import { expect, type Locator, type Page } from 'playwright/test'

/** One incident as a responder sees it. */
export class IncidentPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** Opens a new incident through the list's dialog and returns its address. */
  async create(title: string): Promise<string> {
    await this.page.goto('/incidents')
    await this.page.getByRole('button', { name: /create new incident/i }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(this.page).toHaveURL(/\/incidents\/[\da-f-]{36}/)
    await expect(this.title).toHaveValue(title)
    return new URL(this.page.url()).pathname
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path)
    await expect(this.page.getByRole('tab', { name: 'Action Plan' })).toBeVisible()
  }

  get title(): Locator {
    return this.page.getByRole('textbox', { name: 'Title of the incident' })
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

  async expectSaved(): Promise<void> {
    await expect(this.page.getByRole('button', { name: 'Saved' })).toBeVisible({ timeout: 15_000 })
  }
}
