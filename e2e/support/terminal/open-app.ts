import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret } from '../../../electron/kernel/secret.ts'
import type { AccessibleKey } from '../../../electron/keys/keys.ts'
import { openJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { leaving } from '../../../electron/store/secrets/leaving-secret.ts'
import type { SecretUse } from '../../../electron/store/secrets/secret-store.ts'
import type { TerminalProfiles } from '../../../electron/terminal/answer-command.ts'
import type { ProfileAccess } from '../../../electron/terminal/profile-access.ts'
import { createTerminal, type Terminal } from '../../../electron/terminal/terminal.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { value } from '../main/workspace.ts'

export const apiKey = 'SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h'
export const baseUrl = 'https://dex.example/api/dex/v1'

export const webhookSecret = 'svc_whsec_7Tq2vN9xLb4RkZ0sWm8HdYc3'
export const accessibleWebhook = { webhookId: 'w1', url: 'https://bots.example/in', wallet: '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E', storedAtMs: 1 }

export const accessibleKey = (change: Partial<AccessibleKey> = {}): AccessibleKey => ({
  keyId: 'k1',
  label: 'bot',
  wallet: '0x7A3fB2c45D81e0926fC3aD4E17b9805f2E6Dc91E',
  scopes: ['market:read'],
  status: 'active',
  createdAtMs: null,
  expiresAtMs: null,
  storedAtMs: 1,
  ...change,
})

/** The part of the app that serves terminal commands: its socket, its requests to the user, and API keys that a test provides. */
export interface OpenApp {
  readonly userData: string
  readonly terminal: Terminal
  readonly uses: SecretUse[]
  readonly events: AppEvent[]
  readonly access: { -readonly [K in keyof ProfileAccess]: ProfileAccess[K] }
  lock(locked: boolean): void
  unlocked(): boolean
  /** Resolves with the next question to the user about a terminal command. */
  asked(): Promise<TerminalRequest>
  answer(id: string, answer: 'once' | 'always' | 'deny'): Promise<void>
  stop(): Promise<void>
}

export async function startOpenApp({ folder = '', ownProgram = process.execPath } = {}): Promise<OpenApp> {
  const home = mkdtempSync(join(tmpdir(), 'svc-desk-open-'))
  const userData = join(home, folder)
  // Opens the journal, as the running app does. The file is then locked, so a terminal command cannot open it.
  const journal = openJournal({ file: join(userData, 'desk.db'), clock: systemClock })
  const uses: SecretUse[] = []
  const events: AppEvent[] = []
  let locked = false
  const unlocked = () => !locked
  const access: OpenApp['access'] = {
    hostUrl: 'https://dex.example',
    keys: [accessibleKey()],
    secretOf: leaving(async () => ok(new Secret(apiKey)), unlocked),
    webhooks: [accessibleWebhook],
    webhookSecretOf: leaving(async () => ok(new Secret(webhookSecret)), unlocked),
    note: (use) => uses.push(use),
    handlers: null,
    runCheck: null,
    gateway: null,
  }
  const profiles: TerminalProfiles = {
    profiles: () => [
      { id: 'practice', name: 'Practice', kind: 'practice' },
      { id: 'p1', name: 'Main', kind: 'live' },
    ],
    activeId: () => 'p1',
    open: async () => ok(access),
  }
  let listener: () => void = () => undefined
  let ids = 0
  const terminal = createTerminal({
    userData,
    platform: process.platform,
    profiles,
    ownProgram,
    clock: systemClock,
    newId: () => `id-${++ids}`,
    emit: (event) => {
      events.push(event)
      listener()
    },
    attract: () => undefined,
    unlocked,
    log: {
      error: (_reference, _what, error) =>
        events.push({ type: 'notice', severity: 'danger', notice: { code: 'command_needs_sign_in', wallet: null, profile: String(error) }, to: null }),
    },
  })
  await terminal.open()
  const pending = async () => value(await terminal.handlers['terminal.pending']({}))
  return {
    userData,
    terminal,
    uses,
    events,
    access,
    unlocked,
    lock: (now) => {
      locked = now
    },
    asked: () =>
      new Promise((resolve) => {
        listener = () =>
          void pending().then(([first]) => {
            if (first !== undefined) resolve(first)
          })
        listener()
      }),
    answer: async (id, answer) => {
      value(await terminal.handlers['terminal.answer']({ id, answer }))
    },
    async stop() {
      await terminal.close()
      journal.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
