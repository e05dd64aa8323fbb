import { callHttp, expectSuccess } from '../../outbound/callHttp.ts'
import { joinUrl } from '../../outbound/joinUrl.ts'
import { readKubeconfig } from '../readKubeconfig.ts'
import type { Tester } from '../tester.ts'

/** Asks a question that everyone may ask whom the cluster knows. */
export const testKubernetes: Tester = async (connection, { network, signal }) => {
  const { server, headers, tls } = await readKubeconfig(connection.text('certificate'))
  const answer = await callHttp(network, signal, {
    url: joinUrl(server, 'apis/authorization.k8s.io/v1/selfsubjectrulesreviews'),
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectRulesReview',
      spec: { namespace: 'default' },
    }),
    tls,
  })
  expectSuccess(answer)
}
