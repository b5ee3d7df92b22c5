import { expect } from '@playwright/test'
import { goTo } from '../pages/frame.ts'
import { join } from '../pages/ready.ts'
import type { Studio } from './shots-studio.ts'

export async function takeCheckShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  await join(desk, 'foreign')
  await practice.faults({ dialect: 2 })
  await goTo(page, 'Settings')
  const check = page.getByRole('region', { name: 'Service check' })
  await check.scrollIntoViewIfNeeded()
  await shoot('check-before', { narrow: true })
  await check.getByRole('button', { name: 'Check service' }).click()
  await expect(check.getByRole('list').getByRole('listitem').first()).toBeVisible()
  await shoot('check-running')
  await expect(check.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 })
  await check.scrollIntoViewIfNeeded()
  await shoot('check-done', { narrow: true })
  await check.getByText('Needs attention only').click()
  await shoot('check-attention', { narrow: true })
  await check.getByText('Needs attention only').click()
  await check.getByRole('button', { name: /^Accept all top candidates/ }).click()
  await check.getByRole('region', { name: 'Top candidates' }).scrollIntoViewIfNeeded()
  await shoot('check-tops', { narrow: true })
}
