import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Practice } from './practice.ts'
import { root } from './project.ts'

export const coverageFile = join(root, 'out/coverage.ndjson')

function note(entry: { readonly endpoint?: string; readonly action?: string }): void {
  mkdirSync(join(root, 'out'), { recursive: true })
  appendFileSync(coverageFile, `${JSON.stringify(entry)}\n`)
}

/**
 * Counts an API endpoint as covered. The app must have called it, and the practice exchange must have responded with 2xx (503 for `/stream`). `shown`
 * asserts what the user sees. `endpoint`: the documented name, for example `GET /api/dex/v1/markets`.
 */
export async function sees(practice: Practice, endpoint: string, shown: () => Promise<void>): Promise<void> {
  await test.step(`sees ${endpoint}`, async () => {
    await shown()
    const counts = (status: number) => (endpoint.endsWith('/stream') ? status === 503 : status >= 200 && status < 300)
    await expect
      .poll(async () => (await practice.callsTo(endpoint)).some((call) => call.userAgent?.startsWith('Svc-Desk/') && counts(call.status)), {
        message: `${endpoint} was answered for the app`,
      })
      .toBe(true)
    note({ endpoint })
  })
}

/** Counts an action as covered. `effect` asserts what the action changed in the account or on the chain. */
export async function acts(action: string, effect: () => Promise<void>): Promise<void> {
  await test.step(`acts ${action}`, async () => {
    await effect()
    note({ action })
  })
}

export function readCoverage(): { endpoints: string[]; actions: string[] } {
  const lines = existsSync(coverageFile) ? readFileSync(coverageFile, 'utf8').trim().split('\n').filter(Boolean) : []
  const entries = lines.map((text) => JSON.parse(text) as { endpoint?: string; action?: string }) // safe cast: `note` wrote these lines
  const unique = (values: (string | undefined)[]) => [...new Set(values.filter((value) => value !== undefined))].sort()
  return { endpoints: unique(entries.map((entry) => entry.endpoint)), actions: unique(entries.map((entry) => entry.action)) }
}
