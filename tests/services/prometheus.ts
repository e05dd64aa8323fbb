import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeFolder, type Service } from './service.ts'

export const prometheus: Service = {
  name: 'Prometheus',
  program: 'prometheus',
  debianPackage: 'prometheus',
  version: ['--version'],
  start: (place) => {
    const settings = join(place.folder, 'prometheus.yml')
    writeFileSync(settings, 'scrape_configs: []\n')
    place.run(place.program, [
      `--config.file=${settings}`,
      `--storage.tsdb.path=${makeFolder(place, 'data')}`,
      `--web.listen-address=127.0.0.1:${place.port}`,
    ])
    const url = `http://127.0.0.1:${place.port}`
    return [
      { what: 'answers a query', type: 'prometheus', values: { url } },
      {
        what: 'another path',
        type: 'prometheus',
        values: { url: `${url}/nothing` },
        refusal: /404|not like Prometheus/,
      },
    ]
  },
}
