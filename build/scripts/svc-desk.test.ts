import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string; bin: { 'svc-desk': string } } // npm's own file

let home = ''
/** Folder that looks like a fresh `git clone`: contains only the files that the command needs, and no installed packages. */
let clone = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'svc-desk-npx-'))
  clone = join(home, 'clone')
  for (const file of ['package.json', bin['svc-desk']]) cpSync(join(root, file), join(clone, file))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const buildCommand = () =>
  build({
    configFile: false,
    logLevel: 'error',
    define: { __VERSION__: JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'electron/terminal/svc-desk-entry.ts'),
      outDir: join(clone, 'out/main'),
      minify: false,
      target: 'node24',
      rollupOptions: { output: { entryFileNames: 'terminal.js' } },
    },
  })

const npx = (folder: string, ...words: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = {
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: home,
      npm_config_cache: join(home, 'cache'),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    }
    execFile('npx', ['svc-desk', ...words], { cwd: folder, env, shell: process.platform === 'win32' }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr }),
    )
  })

test('`npx svc-desk` asks the user to build if there is no build, and runs the command once there is one', async () => {
  const before = await npx(clone, '--version')
  expect({ code: before.code, stdout: before.stdout }).toEqual({ code: 69, stdout: '' })
  expect(before.stderr).toContain('svc-desk: Svc Desk is not built yet. Run `npm start` or `npm run build`')

  await buildCommand()
  const [said, helped, refused] = await Promise.all([npx(clone, '--version'), npx(clone, '--help'), npx(clone, 'fly')])
  expect(said).toEqual({ code: 0, stdout: `svc-desk ${version}\n`, stderr: '' })
  expect({ code: helped.code, stderr: helped.stderr }).toEqual({ code: 0, stderr: '' })
  expect(helped.stdout).toContain('Usage: svc-desk COMMAND [OPTIONS]')
  expect(refused.code).toBe(64)
  expect(refused.stderr).toContain('fly')

  const bots = join(home, 'bots')
  mkdirSync(join(bots, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(bots, 'package.json'), '{"name":"bots","private":true}')
  symlinkSync(clone, join(bots, 'node_modules/svc-desk'), 'junction')
  symlinkSync(join('../svc-desk', bin['svc-desk']), join(bots, 'node_modules/.bin/svc-desk'))
  expect(await npx(bots, '--version')).toEqual(said)
})
