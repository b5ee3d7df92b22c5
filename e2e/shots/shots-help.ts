import { startPractising } from '../pages/welcome.ts'
import type { Studio } from './shots-studio.ts'

export async function takeHelpShots({ page, shoot }: Studio): Promise<void> {
  const open = async (address: string) => {
    await page.evaluate((to) => {
      window.location.hash = `#/${to}`
    }, address)
  }
  const chapter = page.getByRole('article')
  await startPractising(page)
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('dialog', { name: 'Help' }).getByRole('heading', { name: 'Connect your wallet' }).waitFor()
  await shoot('help-over')
  await page.keyboard.press('Escape')
  await open('help/orders/check-before-you-sign')
  await chapter.getByRole('heading', { name: 'Check before you sign' }).waitFor()
  await shoot('help-chapter', { narrow: true })
  await open('help/terminal')
  await chapter.getByRole('region', { name: 'Table' }).first().waitFor()
  await shoot('help-code', { narrow: true })
  await open('help/endpoints/market-data-11')
  await chapter.getByRole('region', { name: 'Table' }).nth(1).waitFor()
  await shoot('help-table', { narrow: true })
  await page.getByRole('searchbox', { name: 'Search help' }).fill('lost response')
  await page.getByRole('region', { name: 'Search results' }).getByRole('link').first().waitFor()
  await shoot('help-search', { narrow: true })
  await page.keyboard.press('Enter')
  await chapter.locator('mark').first().waitFor()
  await shoot('help-marked')
  await open('help/about')
  await page.getByRole('list', { name: 'Licences' }).getByRole('listitem').first().waitFor()
  await shoot('help-about', { narrow: true })
  await open('help/about/licences')
  await page.getByRole('textbox', { name: 'Find a package or licence' }).fill('viem')
  await page.getByRole('list', { name: 'Licences' }).locator('summary').first().click()
  await shoot('help-licences')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('kill')
  await page.getByRole('option', { name: 'Orders: Kill switch' }).waitFor()
  await shoot('help-palette')
}
