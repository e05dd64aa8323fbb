import type { CONNECTION_TYPES, ConnectionTypeName } from '@watchroom/shared/settings/connections'

import type { Tester } from '../tester.ts'
import { testAws } from './aws.ts'
import { testAzureDevops } from './azureDevops.ts'
import { testDynatrace } from './dynatrace.ts'
import { testElasticsearch } from './elasticsearch.ts'
import { testFolder } from './folder.ts'
import { testGit } from './git.ts'
import { testGithub } from './github.ts'
import { testGitlab } from './gitlab.ts'
import { testHttp } from './http.ts'
import { testKubernetes } from './kubernetes.ts'
import { testLdap } from './ldap.ts'
import { testMysql } from './mysql.ts'
import { testPostgres } from './postgres.ts'
import { testPrometheus } from './prometheus.ts'
import { testRedis } from './redis.ts'
import { testS3 } from './s3.ts'
import { testSftp } from './sftp.ts'

type Connecting = {
  [Name in ConnectionTypeName]: (typeof CONNECTION_TYPES)[Name]['test'] extends 'connect' ? Name : never
}[ConnectionTypeName]

/** One for every type whose test connects; a missing one does not compile. */
export const TESTERS: Readonly<Record<Connecting, Tester>> = {
  aws: testAws,
  azure_devops: testAzureDevops,
  dynatrace: testDynatrace,
  elasticsearch: testElasticsearch,
  folder: testFolder,
  git: testGit,
  github: testGithub,
  gitlab: testGitlab,
  http: testHttp,
  kubernetes: testKubernetes,
  ldap: testLdap,
  mysql: testMysql,
  postgres: testPostgres,
  prometheus: testPrometheus,
  redis: testRedis,
  s3: testS3,
  sftp: testSftp,
}
