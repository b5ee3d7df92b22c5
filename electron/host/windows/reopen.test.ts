import { expect, test } from 'vitest'
import { reopenPage } from './page-rules.ts'

/** Returns what `reopenPage` does in a window at the address `current`. */
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

test('reopening a page in the same language reloads it', () => {
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', 'app://bundle/index.html?locale=en-GB')).toEqual(['reload'])
})

test('reopening a page in another language loads the page in that language and keeps the URL fragment', () => {
  const german = 'app://bundle/translated.html?language=de&page=index&locale=de-DE'
  expect(reopened('app://bundle/index.html?locale=en-GB#/settings', german)).toEqual([`${german}#/settings`])
  expect(reopened(german, 'app://bundle/index.html?locale=en-GB')).toEqual(['app://bundle/index.html?locale=en-GB'])
})
