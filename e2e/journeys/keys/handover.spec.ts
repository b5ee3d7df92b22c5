import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { createCustomKey, keyIdOf, openKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, testSignedIn as test } from '../../support/fixtures.ts'
import { keptSecrets } from '../../support/keyring.ts'

const dots = '••••••••••••'

interface Recorder {
  /** A PATH variable for the app in which the fake `docker` comes before a real one. */
  readonly path: string
  readonly read: (what: 'words' | 'input' | 'env') => string | null
}

function recordingDocker(folder: string): Recorder {
  const [bin, record] = [join(folder, 'bin'), join(folder, 'record')]
  mkdirSync(bin)
  mkdirSync(record)
  writeFileSync(
    join(bin, 'docker'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}/words'\ncat > '${record}/input'\nenv > '${record}/env'\necho "stored $(cat '${record}/input')"\n`,
    { mode: 0o755 },
  )
  return {
    path: `${bin}:${process.env.PATH}`,
    read: (what) => {
      try {
        return readFileSync(join(record, what), 'utf8')
      } catch {
        return null
      }
    },
  }
}

interface Way {
  readonly target: string
  readonly fields: Readonly<Record<string, string>>
  /** The expected words of the command line that the fake program recorded. */
  readonly words: readonly (string | RegExp)[]
  readonly input: string
}

const ways: readonly Way[] = [
  {
    target: 'Another computer (ssh)',
    fields: { Host: 'bot@bots-1.example', File: 'bot/svc-api-key', Port: '2222' },
    words: [
      'ssh',
      '-T',
      '-o',
      'BatchMode=yes',
      '-o',
      'StrictHostKeyChecking=yes',
      '-o',
      /./,
      '-o',
      /./,
      '-o',
      /./,
      '-p',
      '2222',
      '--',
      'bot@bots-1.example',
      /^sh -c '.*' '\.\/bot\/svc-api-key'$/,
    ],
    input: dots,
  },
  {
    target: 'systemd credential',
    fields: { Name: 'svc-key' },
    words: ['systemd-creds', 'encrypt', '--name=svc-key', '--with-key=auto', '--pretty', '-', '-'],
    input: dots,
  },
  {
    target: 'Kubernetes secret',
    fields: { Name: 'svc-key', Entry: 'SVC_API_KEY', Namespace: 'bots' },
    words: ['kubectl', '--namespace=bots', 'apply', '--server-side', '--force-conflicts', '--filename=-'],
    input: `"SVC_API_KEY": "${dots}"`,
  },
  {
    target: 'GitHub Actions secret',
    fields: { Name: 'SVC_API_KEY', Repository: 'acme/bots' },
    words: ['gh', 'secret', 'set', 'SVC_API_KEY', '--repo=acme/bots'],
    input: dots,
  },
  { target: 'Another program', fields: { 'Program and arguments': 'no-such-program set $HOME' }, words: ['no-such-program', 'set', '$HOME'], input: dots },
  { target: 'Docker secret', fields: { Name: 'svc_key_2' }, words: ['docker', 'secret', 'create', 'svc_key_2', '-'], input: dots },
]

async function choose(sheet: Locator, { target, fields }: Way): Promise<void> {
  await sheet.getByRole('radio', { name: target }).check()
  for (const [name, value] of Object.entries(fields)) await sheet.getByRole('textbox', { name: new RegExp(`^${name}\\s*(optional)?$`) }).fill(value)
}

/** Opens the page of a stored read-only key, after signing in. */
async function openReader(page: Page, label: string, allowlist?: string): Promise<string> {
  await createCustomKey(page, { label, preset: 'Read-only monitor', ...(allowlist === undefined ? {} : { allowlist }) })
  await expectKeyStored(page, label)
  const keyId = await keyIdOf(page, label)
  await openKey(page, label)
  return keyId
}

test('the app shows the whole command to which the user hands over a key, then passes the key on standard input [AUTH-09]', async ({ open, profileDir }) => {
  const docker = recordingDocker(profileDir)
  const { desk, page } = await openSignedIn(() => open({ env: { PATH: docker.path } }))
  const keyId = await openReader(page, 'hedger')
  const [secret] = keptSecrets(keyId)
  if (secret === undefined) throw new Error('the keychain does not hold the key')
  await page.getByRole('region', { name: 'Secret' }).getByRole('button', { name: 'Hand over' }).click()
  const sheet = page.getByRole('dialog', { name: 'Hand hedger over' })
  const picture = sheet.getByRole('region', { name: 'Command preview' })
  const runIt = sheet.getByRole('button', { name: 'Run command' })

  await expect(runIt).toBeDisabled()
  for (const way of ways) {
    await test.step(way.target, async () => {
      await choose(sheet, way)
      await expect(sheet.getByRole('list', { name: 'Command arguments' }).getByRole('listitem')).toHaveText([...way.words])
      await expect(picture).toContainText(way.input)
      if (way.target === 'Another program') {
        await expect(picture).toContainText('no-such-program is not installed on this computer.')
        await expect(runIt).toBeDisabled()
      }
    })
  }
  await test.step('an invalid field of the form shows its error beside the field', async () => {
    const name = sheet.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('two words')
    await expect(name).toHaveAttribute('aria-invalid', 'true')
    await expect(runIt).toBeDisabled()
    await name.fill('svc_key_2')
    await expect(runIt).toBeEnabled()
  })
  await test.step('the program does not start before the user agrees in the system dialog', async () => {
    const asked = await answerDialogs(desk.app, { agree: false })
    await runIt.click()
    await expect(sheet.getByText('The program was not started.')).toBeVisible()
    expect(docker.read('words')).toBeNull()
    const [question] = await asked()
    for (const words of ['docker\n    secret\n    create\n    svc_key_2\n    -', `Program: ${join(profileDir, 'bin/docker')}`])
      expect(question?.detail).toContain(words)
    expect(JSON.stringify(question)).not.toContain(secret)
  })
  await test.step('the secret reaches the program only on standard input', async () => {
    await answerDialogs(desk.app, { agree: true })
    await runIt.click()
    await expect(sheet.getByText('Secret handed over.')).toBeVisible()
    expect(docker.read('words')).toBe('secret\ncreate\nsvc_key_2\n-\n')
    expect(docker.read('input')).toBe(secret)
    expect(docker.read('env')).not.toContain(secret)
    await expect(sheet).toContainText('stored [secret]')
    expect(await page.content()).not.toContain(secret)
  })
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('region', { name: 'Audit trail' }).getByRole('listitem').filter({ hasText: 'Secret handed over' }).first()).toBeVisible()
})

test('the key doctor reports that a key works, and distinguishes a disallowed IP address from a missing scope [AUTH-04, AUTH-05]', async ({
  open,
  practice,
}) => {
  const { page } = await openSignedIn(open)
  await openReader(page, 'watch', '127.0.0.0/8')
  const doctor = page.getByRole('region', { name: 'Doctor' })
  const check = (title: string) => doctor.getByRole('listitem').filter({ has: page.getByText(title, { exact: true }) })
  const again = () => doctor.getByRole('button', { name: 'Run again' }).click()
  const verdict = doctor.getByRole('status').filter({ hasText: /key/ })

  await test.step('every check of the key doctor passes for a working key', async () => {
    await doctor.getByRole('button', { name: 'Test key' }).click()
    await expect(doctor).toContainText(/(\d+) of \1 pass/)
    for (const title of ['Key accepted', 'Address allowed', 'Belongs to this wallet', 'market:read', 'account:read'])
      await expect(check(title).getByRole('img', { name: 'Passed' })).toBeVisible()
    await expect(doctor.getByRole('img', { name: 'Failed' })).toHaveCount(0)
    await expect(verdict).toHaveCount(0)
  })
  await test.step('the key doctor reports that this computer’s IP address is not in the key’s allowlist', async () => {
    await practice.faults({ callerIp: '203.0.113.9', ipInRefusal: true })
    await again()
    await expect(verdict).toContainText('The key is valid, but not from this address: its allowlist does not name it.')
    await expect(check('Key accepted').getByRole('img', { name: 'Passed' })).toBeVisible()
    await expect(check('Address allowed').getByRole('img', { name: 'Failed' })).toBeVisible()
    await expect(check('Address allowed')).toContainText('203.0.113.9')
    await expect(check('Address allowed')).toContainText('Allowed: 127.0.0.0/8.')
    await expect(check('account:read').getByRole('img', { name: 'Not tested' })).toBeVisible()
  })
  await test.step('the key doctor reports a scope that the key list contains but that the service refuses', async () => {
    await practice.clearFaults()
    await practice.faults({ keyRecord: 'more_scopes' })
    await again()
    await expect(verdict).toContainText('The service refuses a scope that the key’s list names.')
    await expect(check('Address allowed').getByRole('img', { name: 'Passed' })).toBeVisible()
    await expect(check('collateral:manage').getByRole('img', { name: 'Failed' })).toBeVisible()
    await doctor.getByRole('button', { name: 'New key' }).click()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeVisible()
  })
})
