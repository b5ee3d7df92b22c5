import type { Page } from 'playwright-core'

/** The page’s JavaScript heap as text, after garbage collection. V8 truncates strings of more than 1,024 characters. */
export async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  await session.detach()
  return chunks.join('')
}

/** All data that a page can store or show: both storages, databases, caches, cookies, its address and its content. */
export function storageOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const request = <T>(asked: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
    const databases: unknown[] = []
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await request(indexedDB.open(name))
      for (const store of database.objectStoreNames) databases.push([name, store, await request(database.transaction(store).objectStore(store).getAll())])
      database.close()
    }
    const caches = await Promise.all(
      (await window.caches.keys()).map(async (name) => [name, (await (await window.caches.open(name)).keys()).map(({ url }) => url)]),
    )
    return JSON.stringify({
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases,
      caches,
      cookies: document.cookie,
      address: location.href,
      history: history.state,
      shown: document.documentElement.outerHTML,
    })
  })
}

/** Puts a secret into the page’s heap, storages, database and document. A search must find it in each of them. */
export function plant(page: Page, secret: string): Promise<void> {
  return page.evaluate(async (planted) => {
    Object.assign(window, { planted: { plain: planted, hidden: btoa(`xy${planted}`) } })
    localStorage.setItem('planted', planted)
    sessionStorage.setItem('planted', encodeURIComponent(planted))
    document.documentElement.dataset.planted = planted
    const open = indexedDB.open('planted', 1)
    await new Promise<void>((resolve, reject) => {
      open.onupgradeneeded = () => open.result.createObjectStore('kept')
      open.onsuccess = () => {
        const change = open.result.transaction('kept', 'readwrite')
        change.objectStore('kept').put({ deep: [planted] }, 'key')
        change.oncomplete = () => {
          open.result.close()
          resolve()
        }
      }
      open.onerror = () => reject(open.error)
    })
  }, secret)
}
