import { expect, test } from 'vitest'
import { reopenPage } from './page-rules.ts'

/** Calls `reopenPage` for a fake window at the address `current`, and returns what the window did: reload, or load an address. */
function reopened(current: string, url: string): readonly string[] {
  const done: string[] = []
  const contents = {
    getURL: () => current,
    reload: () => void done.push('reload'),
    loadURL: async (wanted: string) => void done.push(wanted),
  }
  reopenPage(contents, url)
  return done
}

test('if the language has not changed, the app reopens a page by reloading its URL', () => {
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', 'app://bundle/index.html?locale=en-GB')).toEqual(['reload'])
})

test('if the language has changed, the app reopens a page in the new language and keeps the URL fragment', () => {
  const german = 'app://bundle/translated.html?language=de&page=index&locale=de-DE'
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', german)).toEqual([`${german}#/settings`])
  expect(reopened(german, 'app://bundle/index.html?locale=en-GB')).toEqual(['app://bundle/index.html?locale=en-GB'])
})
