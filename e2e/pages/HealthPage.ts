import { expect, type Locator, type Page } from 'playwright/test'

/** The health board as a person sees it. */
export class HealthPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The list itself: a tree when it is grouped. */
  get grid(): Locator {
    return this.page.locator('[aria-label="Checks"][role="grid"], [aria-label="Checks"][role="treegrid"]')
  }

  row(name: string): Locator {
    return this.grid.getByRole('row').filter({ hasText: name })
  }

  card(name: string): Locator {
    return this.grid.locator('a[data-line]').filter({ hasText: name })
  }

  /** A filter in force. */
  chip(text: string): Locator {
    return this.page.getByRole('list', { name: 'Active filters' }).getByText(text, { exact: true })
  }

  /** One state of a three-way label filter. */
  toggle(label: string, state: 'Exclude' | 'No filter' | 'Include'): Locator {
    return this.page.getByRole('radiogroup', { name: label }).getByRole('radio', { name: state })
  }

  /** What the address says of labels. */
  labelFilter(): unknown {
    return JSON.parse(decodeURIComponent(new URL(this.page.url()).searchParams.get('labels') ?? 'null'))
  }

  get freshness(): Locator {
    return this.page.locator('.freshness-text')
  }

  async showEverything(): Promise<void> {
    const toggle = this.page.getByRole('checkbox', { name: /hide passing/i })
    if (await toggle.isChecked()) await toggle.press('Space')
    await expect(toggle).not.toBeChecked()
  }

  /** Finds a check that passes or fails, alone in its group, and opens its panel. */
  async openCheck(search: string): Promise<void> {
    await this.showEverything()
    await this.page.getByPlaceholder('Search by name, description, or endpoint').fill(search)
    // The list shrinks some time after the last key.
    await expect.poll(() => new URL(this.page.url()).searchParams.get('query')).toBe(search)
    await this.row(search).first().click()
    await expect(this.page.getByRole('dialog')).toBeVisible()
  }

  async expectLive(): Promise<void> {
    await expect(this.freshness).toHaveText(/^Live/)
  }
}
