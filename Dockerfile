# Two stages. The first packs the packages as they are published; the second installs the tarballs, so that the image runs the
# same files as `npx holdpoint`, and nothing that only builds is in it.
FROM node:26-slim AS build
WORKDIR /app
# Manifests first: dependencies are fetched again only when one of these changes.
COPY package.json package-lock.json .npmrc ./
COPY packages/protocol/package.json packages/protocol/
COPY packages/server/package.json packages/server/
COPY packages/sdk/package.json packages/sdk/
COPY packages/gate/package.json packages/gate/
COPY packages/hitl/package.json packages/hitl/
COPY packages/openintent/package.json packages/openintent/
COPY packages/adapters/package.json packages/adapters/
COPY packages/react/package.json packages/react/
COPY packages/web/package.json packages/web/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json LICENSE CHANGELOG.md ./
COPY tools tools
COPY packages packages
ENV PATH=/app/node_modules/.bin:$PATH
RUN npm run build --workspace packages/web
RUN node tools/pack.ts /tarballs

FROM node:26-slim
ENV NODE_ENV=production \
    HOLDPOINT_HOST=0.0.0.0 \
    HOLDPOINT_PORT=4100 \
    HOLDPOINT_HOME=/var/lib/holdpoint
WORKDIR /app
COPY --from=build /tarballs /tarballs
# Peers are for programs that import the packages; the server brings what it needs.
RUN npm install --omit=dev --omit=peer --no-audit --no-fund /tarballs/*.tgz && rm -r /tarballs
# The home folder holds this server's signing keys; with SQLite, the database too.
RUN mkdir -p /var/lib/holdpoint && chown node:node /var/lib/holdpoint
USER node
VOLUME /var/lib/holdpoint
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.HOLDPOINT_PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# No shell in between: SIGTERM reaches the server, which finishes what was begun.
ENTRYPOINT ["node", "node_modules/holdpoint/dist/cli/bin.js"]
CMD ["start"]
