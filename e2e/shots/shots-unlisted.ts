import { expect } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import { openPositionAndOrder, openRowMenu, review, rowForm, showTab } from '../pages/rows.ts'
import { blotterRow } from '../pages/trade.ts'
import { openDesk } from '../support/desk.ts'
import type { Studio } from './shots-studio.ts'

/** Takes screenshots of the Trade page when the service lists no market. The user can then only cancel orders and close positions. */
export async function takeUnlistedShots({ desk, page, practice, profileDir, shoot }: Studio): Promise<void> {
  await openPositionAndOrder(page, await join(desk, 'grid-eth-2'), practice)
  await desk.kill()
  const gone = { status: 500, code: 'INTERNAL', times: 1_000 }
  const routes = ['GET /api/dex/v1/markets', 'GET /api/dex/markets', 'GET /api/dex/config']
  await practice.faults({ answer: routes.map((route) => ({ route, ...gone })) })
  const again = await openDesk({ profileDir, variant: 'hooks', descriptorFile: practice.descriptorFile })
  try {
    const of = again.main
    const size = page.viewportSize()
    if (size !== null) await of.setViewportSize(size)
    await goTo(of, 'Trade')
    await expect(of.getByRole('button', { name: 'Try again' })).toBeVisible()
    await blotterRow(of, 'Positions', 'BTC-PERP').waitFor()
    await shoot('unlisted-positions', { of })
    await showTab(of, 'Orders')
    await expect(blotterRow(of, 'Orders', 'BTC-PERP').getByRole('button', { name: /^Change/ })).toBeDisabled()
    await shoot('unlisted-orders', { of, narrow: true })
    await showTab(of, 'Positions')
    const menu = await openRowMenu(of, 'BTC-PERP')
    await shoot('unlisted-menu', { of })
    await menu.getByRole('menuitem', { name: 'Close' }).click()
    await expect(rowForm(of).getByRole('heading', { name: 'Close the long on BTC-PERP' })).toBeVisible()
    await shoot('unlisted-close', { of })
    await review(of)
    await shoot('unlisted-close-signing', { of })
  } finally {
    await again.close()
  }
}
