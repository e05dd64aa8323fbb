import { expect, type Locator, type Page } from 'playwright/test'

/** The panel of a check as a person sees it. */
export class CheckPanel {
  readonly page: Page
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog').first()
  }

  get chart(): Locator {
    return this.dialog.getByRole('slider', { name: 'Latency over time' })
  }

  get results(): Locator {
    return this.dialog.getByRole('table', { name: 'Results' }).locator('tbody').getByRole('row')
  }

  /** What came of a run that was started here. */
  get outcome(): Locator {
    return this.dialog.getByRole('region', { name: 'Outcome of the run' })
  }

  /** Why it fails, and what else has to be known first. */
  get notices(): Locator {
    return this.dialog.getByRole('note')
  }

  /** The figure under this name, for example `Uptime`. */
  metric(name: string): Locator {
    return this.dialog.locator('dl[aria-label="Metrics"] > div').filter({ hasText: name }).locator('dd')
  }

  async openTab(name: string): Promise<void> {
    await this.dialog.getByRole('tab', { name }).click()
    await expect(this.dialog.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true')
  }

  search(): URLSearchParams {
    return new URL(this.page.url()).searchParams
  }
}
