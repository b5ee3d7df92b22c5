import { beforeEach, expect, test } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { guardOutlets } from './gate.ts'

let locked: boolean
let done: string[]
beforeEach(() => {
  locked = false
  done = []
})

/** Creates fake dialogs, windows and a fake clipboard. Before each answer, they call `meanwhile`, which may lock the app. */
const outlets = (meanwhile: () => void) => {
  const slowly = async <T>(value: T): Promise<T> => {
    meanwhile()
    return value
  }
  return guardOutlets(
    {
      confirm: () => slowly(true),
      files: {
        chooseToOpen: () => slowly('/home/me/open'),
        chooseToSave: () => slowly('/home/me/save'),
        chooseFolder: () => slowly('/home/me'),
        showInFolder: () => undefined,
      },
      reveal: () => {
        done.push('reveal')
        return { closesInMs: 60_000 }
      },
      clipboard: {
        copySecret: async () => {
          done.push('copy')
          return { clearsInMs: 30_000 }
        },
        copyText: async () => undefined,
        clear: async () => undefined,
      },
    },
    () => locked,
  )
}
const question = { title: 't', message: 'm', detail: 'd', button: 'b', kinds: [], suggested: 's' }
const ask = async (of: ReturnType<typeof outlets>) => [
  await of.confirm(question),
  await of.files.chooseToOpen(question),
  await of.files.chooseToSave(question),
  await of.files.chooseFolder(question),
]

test('if the app locks while a system dialog is open, it ignores the user’s answer to that dialog', async () => {
  expect(await ask(outlets(() => undefined))).toEqual([true, '/home/me/open', '/home/me/save', '/home/me'])
  expect(
    await ask(
      outlets(() => {
        locked = true
      }),
    ),
  ).toEqual([false, null, null, null])
})

test('a locked app neither shows nor copies a secret', async () => {
  const { reveal, clipboard } = outlets(() => undefined)
  const secret = new Secret('SVC_live_Zq8fW3nT0vRk51LmXy7PdG2h')
  expect(reveal('bot', secret)).toEqual({ closesInMs: 60_000 })
  expect(await clipboard.copySecret(secret)).toEqual({ clearsInMs: 30_000 })
  locked = true
  reveal('bot', secret)
  await clipboard.copySecret(secret)
  expect(done).toEqual(['reveal', 'copy'])
})
