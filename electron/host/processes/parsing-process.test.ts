import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forkParsing } from '../../../e2e/support/parsing/fork-parsing.ts'
import { createParsing } from '../../kernel/parsing/parsing.ts'
import { Secret } from '../../kernel/secret.ts'
import { keyTextJob } from '../../keys/imported/key-text-job.ts'
import { noSum, runScan, scanLimits } from '../../keys/leaks/run-scan.ts'
import { createFingerprints, gitViewJob } from '../../keys/leaks/scan-job.ts'
import { mapFileJob } from '../../service/field-names/map-file-job.ts'
import { pastedJob } from '../../webhooks/subscriptions/pasted-job.ts'

const key = 'SVC9b1f6a0c3e7d52884af0c6b1e93d7250ce81fa4467b09d3e'
const parsing = createParsing({ fork: forkParsing })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-parsing-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

test('the app’s parsing process can do every parsing job, and returns the results that the main process needs', async () => {
  mkdirSync(join(folder, 'bot'))
  execFileSync('git', ['init', '--quiet', join(folder, 'bot')])
  write('bot/.gitignore', '.env\n')
  const env = write('bot/.env', `SVC_API_KEY=${key}\n`)
  const wait = await Promise.all([
    parsing.run(keyTextJob, { path: env }),
    parsing.run(keyTextJob, { text: 'no key' }),
    parsing.run(keyTextJob, { path: join(folder, 'none') }),
    parsing.run(mapFileJob, { path: write('map.json', '{"version":1,"payloads":{"bind executor":{"executor":"signer"}}}') }),
    parsing.run(gitViewJob, { path: env, globalRules: join(folder, 'none'), fold: false }),
    parsing.run(pastedJob, { text: 'X-Svc-Event: order.filled\n\n{"id":"evt_1","type":"order.filled","created_at":1,"data":{}}', index: 3 }),
  ])
  expect(wait).toMatchObject([
    { ok: true, value: { ok: true, value: [{ text: key, name: 'SVC_API_KEY', line: 1 }] } },
    { ok: true, value: { ok: true, value: [] } },
    { ok: true, value: { ok: false, failure: { kind: 'file', issue: 'missing' } } },
    { ok: true, value: { ok: true } },
    { ok: true, value: { state: 'ignored' } },
    {
      ok: true,
      value: {
        ok: true,
        value: { form: 'headers', index: 0, found: [{ event: 'order.filled' }], delivery: { bodies: [{ event: { id: 'evt_1' } }, { reading: 'with_break' }] } },
      },
    },
  ])
})

const scan = async (through: Pick<typeof parsing, 'run'>, folders: readonly string[]) => {
  const fingerprints = createFingerprints()
  fingerprints.learn([{ keyId: 'k', wallet: '0xa', secret: new Secret(key) }])
  const sum = noSum()
  const { signal } = new AbortController()
  const end = await runScan({
    ...{ folders, ignoredToo: false, platform: process.platform, fingerprints, limits: scanLimits },
    ...{ sum, parsing: through, signal, onProgress: () => {} },
  })
  return { end, sum }
}

/** Creates a git repository in which the key occurs only in the history. */
const commit = (name: string) => {
  const git = (...words: string[]) => execFileSync('git', ['-C', join(folder, name), '-c', 'user.name=a', '-c', 'user.email=a@example', ...words])
  mkdirSync(join(folder, name), { recursive: true })
  git('init', '--quiet')
  write(`${name}/bot.env`, key)
  git('add', '-A')
  git('commit', '--quiet', '-m', 'first')
  write(`${name}/bot.env`, 'nothing')
}

test('the app’s parsing process finds keys in files and git history by their fingerprints, so it never gets a secret [V4]', async () => {
  commit('bot')
  write('key.txt', key)
  const { end, sum } = await scan(parsing, [folder])
  expect(end).toBe('done')
  expect(sum.found).toMatchObject([
    { where: 'file', path: join(folder, 'key.txt'), recognised: { keyId: 'k', secret: 'current' } },
    { where: 'history', path: join(folder, 'bot/.git'), recognised: { keyId: 'k' } },
  ])
  const fingerprints = createFingerprints()
  fingerprints.learn([{ keyId: 'k', wallet: '0xa', secret: new Secret(key) }])
  expect(JSON.stringify(fingerprints.prints())).not.toContain(key.slice(0, 12))
})

test('if a repository’s git history crashes the parsing process, the leak scan skips only that repository and names it [V4]', async () => {
  for (const name of ['a', 'b', 'c']) commit(name)
  const hostile = join(folder, 'b/.git')
  /** Simulates that the repository `hostile` crashes the parsing process, as if it needed too much memory. */
  const through: typeof parsing = {
    run: async (job, given, { onNews, ...options } = {}) => {
      const stopper = new AbortController()
      let died = false
      const ended = await parsing.run(job, given, {
        ...options,
        signal: stopper.signal,
        onNews: (news) => {
          if (died) return
          onNews?.(news)
          died = (news as { readonly at: string }).at === hostile
          if (died) stopper.abort()
        },
      })
      return died ? { ok: false, failure: { kind: 'parsing', issue: 'too_much_memory' } } : ended
    },
  }
  const { end, sum } = await scan(through, [folder])
  expect(end).toBe('done')
  expect(sum.unread).toEqual([{ path: hostile, why: 'gave_up' }])
  expect(sum.unreadTotal).toBe(1)
  expect(sum.found.map(({ path }) => path).sort()).toEqual([join(folder, 'a/.git'), join(folder, 'c/.git')])
})
