-- A database as the version before the kernel wrote it (schema 3), dumped as SQL.
PRAGMA application_id = 1215261796;
PRAGMA user_version = 3;
BEGIN TRANSACTION;
CREATE TABLE entity (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  -- The entries of entity_index, as written: what a later put has to take out.
  indexed TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id, workspace)
) STRICT, WITHOUT ROWID;
INSERT INTO "entity" VALUES('default','group','group_01kdvdna00hv45sp1kzvfqvr9p',1,1,'sha256:XHHcsvu79_PUfSYdOy0AbtfjDdq9YicgoTXTDco4bNI',NULL,'{"id":"group_01kdvdna00hv45sp1kzvfqvr9p","createdBy":"refunder","createdAt":1767225600000,"members":["hold_01kdvdna00pg4wpa92pny0epd0","hold_01kdvdna00ez2znbn636y56p4k"]}');
INSERT INTO "entity" VALUES('default','hold_key','refunder
decided',1,0,'',NULL,'{"holdId":"hold_01kdvdna007p9rv2hqqpsjws30"}');
INSERT INTO "entity" VALUES('default','hold_key','refunder
erased',1,0,'',NULL,'{"holdId":"hold_01kdvdna008kt54jj690xj6m34"}');
INSERT INTO "entity" VALUES('default','hold_key','refunder
linked',1,0,'',NULL,'{"holdId":"hold_01kdvdna00aa3mw0y4zknpmb1f"}');
INSERT INTO "entity" VALUES('default','hold_key','refunder
on-intent',1,0,'',NULL,'{"holdId":"hold_01kdvdna00ch49c3383b7v495b"}');
INSERT INTO "entity" VALUES('default','hold_key','refunder
timed',1,0,'',NULL,'{"holdId":"hold_01kdvdna00shpjvb9r3vez64aq"}');
INSERT INTO "entity" VALUES('default','intent','intent_01kdvdna005adk2yjs46t8b309',3,4,'sha256:na3fipQ4mgbkVQxf0vJ8zJCYMoQN7VSx9M6MY7igwVM','[["status","suspended_awaiting_input"],["creator","refunder"],["unsigned","yes"]]','{"id":"intent_01kdvdna005adk2yjs46t8b309","title":"Refund","description":"","dependsOn":[],"constraints":{},"state":{},"confidence":0,"createdBy":"refunder","createdAt":1767225600000,"updatedAt":1767225600000,"status":"suspended_awaiting_input","version":3,"history":[],"leases":[],"agents":[],"failures":0,"watchers":[],"logged":4,"checkpointed":0,"suspension":{"id":"s1","holdId":"hold_01kdvdna00tngz5zh6zpnp05zr"}}');
INSERT INTO "entity" VALUES('default','intent','intent_01kdvdna00vbfp5v1pp0jha06h',3,4,'sha256:2gdSi3VPY5AU-A0TM3TFC10K-cuEk-P0p8P2SMFoVRY','[["status","suspended_awaiting_input"],["creator","refunder"],["unsigned","yes"]]','{"id":"intent_01kdvdna00vbfp5v1pp0jha06h","title":"Native","description":"","dependsOn":[],"constraints":{},"state":{},"confidence":0,"createdBy":"refunder","createdAt":1767225600000,"updatedAt":1767225600000,"status":"suspended_awaiting_input","version":3,"history":[],"leases":[],"agents":[],"failures":0,"watchers":[],"logged":4,"checkpointed":0,"suspension":{"id":"hold_01kdvdna00ch49c3383b7v495b","holdId":"hold_01kdvdna00ch49c3383b7v495b"}}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna007p9rv2hqqpsjws30.jHjyQlC1Qjk9O3OO-xgwFkfG28gQpBmBhc9RWmV9gHk',1,0,'',NULL,'{"id":"link_01kdvdna00rb4m6r9cgze5gdda","hash":"jHjyQlC1Qjk9O3OO-xgwFkfG28gQpBmBhc9RWmV9gHk","purpose":"review","holdId":"hold_01kdvdna007p9rv2hqqpsjws30","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna008kt54jj690xj6m34.8_faGgCzh7PNa8jaY8t9ulNbSY7goYGkxvoxxrQjF6A',1,0,'',NULL,'{"id":"link_01kdvdna0038hpmk4b7hhpn90c","hash":"8_faGgCzh7PNa8jaY8t9ulNbSY7goYGkxvoxxrQjF6A","purpose":"review","holdId":"hold_01kdvdna008kt54jj690xj6m34","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna00aa3mw0y4zknpmb1f.0NeulT1KD_KXThPahNODjOYdjAJO5qAb-lnGEb-L26M',1,0,'',NULL,'{"id":"link_01kdvdna00p5am5cz8dhtmmh9p","hash":"0NeulT1KD_KXThPahNODjOYdjAJO5qAb-lnGEb-L26M","purpose":"review","holdId":"hold_01kdvdna00aa3mw0y4zknpmb1f","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna00ch49c3383b7v495b.SZ0SSL5TWmtoosOvIhqFuVI-ED3wrvZ_B-6gQuEw8RQ',1,0,'',NULL,'{"id":"link_01kdvdna003d6yyb5z4x45w86b","hash":"SZ0SSL5TWmtoosOvIhqFuVI-ED3wrvZ_B-6gQuEw8RQ","purpose":"review","holdId":"hold_01kdvdna00ch49c3383b7v495b","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna00ez2znbn636y56p4k.OFOwJLJiTtgmPBVVJh0abh8njXMcArtyKFcfesUh8l4',1,0,'',NULL,'{"id":"link_01kdvdna00w1yrjc0q6xx8snjc","hash":"OFOwJLJiTtgmPBVVJh0abh8njXMcArtyKFcfesUh8l4","purpose":"review","holdId":"hold_01kdvdna00ez2znbn636y56p4k","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna00pg4wpa92pny0epd0.40dvRQS0hL10RmDml5b3FfNN45CM9XyqGCQC2LuYT0w',1,0,'',NULL,'{"id":"link_01kdvdna00w8ca5yecbhw7z9q7","hash":"40dvRQS0hL10RmDml5b3FfNN45CM9XyqGCQC2LuYT0w","purpose":"review","holdId":"hold_01kdvdna00pg4wpa92pny0epd0","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('default','link','hold_01kdvdna00shpjvb9r3vez64aq.gB86SnazPS-iUTisPwD35CCqk4P5H22HIN5uZ4hCKbU',1,0,'',NULL,'{"id":"link_01kdvdna00mccya00qjb61gbkq","hash":"gB86SnazPS-iUTisPwD35CCqk4P5H22HIN5uZ4hCKbU","purpose":"review","holdId":"hold_01kdvdna00shpjvb9r3vez64aq","madeAt":1767225600000,"madeBy":"key:refunder"}');
INSERT INTO "entity" VALUES('_log','signing_key','Kc-UmsV61tAuNS5EivrZ9fTa4wXFCULEkoeamMTFMD0',1,1,'sha256:iFXzlBjCIZokhgIMhQCRCq9VhV4MdVtIULQXRZcqGfI',NULL,'{"id":"Kc-UmsV61tAuNS5EivrZ9fTa4wXFCULEkoeamMTFMD0","algorithm":"Ed25519","publicJwk":{"kty":"OKP","crv":"Ed25519","x":"rKKb-KdfLNkIakKig0DALhTNrtlqCbo_2mWRiyi2dtw"},"madeAt":1767225600000}');
INSERT INTO "entity" VALUES('default','subscription','sub_01kdvdna005n0rgbf3zs0va7rb',1,1,'sha256:yorojrJ8K7UYZ-4j0jyNYag5jQddHCpdbmJdF6KBtqE','[["owner","refunder"]]','{"id":"sub_01kdvdna005n0rgbf3zs0va7rb","subscriberId":"refunder","eventTypes":[],"webhookUrl":"http://127.0.0.1:9/hook","owner":{"role":"agent","name":"refunder"},"ownerKey":"env:agent:refunder","active":true,"madeAt":1767225600000}');
INSERT INTO "entity" VALUES('default','suspension_log','intent_01kdvdna005adk2yjs46t8b309
s1',1,0,'',NULL,'{"intentId":"intent_01kdvdna005adk2yjs46t8b309","suspensionId":"s1","payloads":{"4":{"intent_id":"intent_01kdvdna005adk2yjs46t8b309","suspension_id":"s1","question":"Q","response_type":"choice","choices":[{"value":"approve","label":"Approve","description":"d"},{"value":"deny","label":"Deny"}],"channel_hint":null,"timeout_seconds":7200,"fallback_policy":"fail","confidence_at_suspension":null,"retry_policy":null,"suspended_at":"2026-01-01T00:00:00.000+00:00","expires_at":"2026-01-01T02:00:00.000+00:00"}},"told":{"intent.suspended":4},"holdId":"hold_01kdvdna00tngz5zh6zpnp05zr"}');
INSERT INTO "entity" VALUES('default','suspension_log','intent_01kdvdna00vbfp5v1pp0jha06h
hold_01kdvdna00ch49c3383b7v495b',1,0,'',NULL,'{"intentId":"intent_01kdvdna00vbfp5v1pp0jha06h","suspensionId":"hold_01kdvdna00ch49c3383b7v495b","payloads":{"4":{"intent_id":"intent_01kdvdna00vbfp5v1pp0jha06h","suspension_id":"hold_01kdvdna00ch49c3383b7v495b","question":"Refund 40 EUR?","response_type":"choice","choices":[{"value":"approve","label":"Approve","style":"primary"},{"value":"edit","label":"Request changes"},{"value":"reject","label":"Reject","style":"danger"}],"channel_hint":null,"timeout_seconds":null,"fallback_policy":"use_default_and_continue","confidence_at_suspension":null,"retry_policy":null,"suspended_at":"2026-01-01T00:00:00.000+00:00","expires_at":null}},"told":{"intent.suspended":4},"holdId":"hold_01kdvdna00ch49c3383b7v495b"}');
INSERT INTO "entity" VALUES('default','thread','refunder
t1',1,0,'',NULL,'{"threadId":"t1","createdBy":"refunder","data":{"messages":[1,2]},"keptAt":1767225600000}');
INSERT INTO "entity" VALUES('default','workspace','settings',1,0,'',NULL,'{"webhooks":[],"watchers":[{"id":"sub_01kdvdna005n0rgbf3zs0va7rb","eventTypes":[],"owner":{"role":"agent","name":"refunder"}}]}');
CREATE TABLE entity_index (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (workspace, kind, name, value, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "entity_index" VALUES('default','intent','creator','refunder','intent_01kdvdna005adk2yjs46t8b309');
INSERT INTO "entity_index" VALUES('default','intent','creator','refunder','intent_01kdvdna00vbfp5v1pp0jha06h');
INSERT INTO "entity_index" VALUES('default','intent','status','suspended_awaiting_input','intent_01kdvdna005adk2yjs46t8b309');
INSERT INTO "entity_index" VALUES('default','intent','status','suspended_awaiting_input','intent_01kdvdna00vbfp5v1pp0jha06h');
INSERT INTO "entity_index" VALUES('default','intent','unsigned','yes','intent_01kdvdna005adk2yjs46t8b309');
INSERT INTO "entity_index" VALUES('default','intent','unsigned','yes','intent_01kdvdna00vbfp5v1pp0jha06h');
INSERT INTO "entity_index" VALUES('default','subscription','owner','refunder','sub_01kdvdna005n0rgbf3zs0va7rb');
CREATE TABLE event (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace TEXT NOT NULL,
  stream TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  audience TEXT,
  data TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (workspace, stream, seq)
) STRICT;
INSERT INTO "event" VALUES(1,'_log','signing_key:Kc-UmsV61tAuNS5EivrZ9fTa4wXFCULEkoeamMTFMD0',1,'signing_key.made',1767225600000,'system',NULL,'{"algorithm":"Ed25519","key_id":"Kc-UmsV61tAuNS5EivrZ9fTa4wXFCULEkoeamMTFMD0"}','','sha256:iFXzlBjCIZokhgIMhQCRCq9VhV4MdVtIULQXRZcqGfI');
INSERT INTO "event" VALUES(2,'default','hold:hold_01kdvdna00aa3mw0y4zknpmb1f',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:lW7cCSwQqmhzrQ4TXNJRN7-XBU3Jp4wljCmrcm1XmJA","created_by":"refunder","digest":"sha256:m6fRCaCJCTFNk8tmz7vc7UzYJB8EKFsUGj49luf4B-Y","links":"agent","links_made":[{"link_id":"link_01kdvdna00p5am5cz8dhtmmh9p","purpose":"review"}],"rungs":0,"type":"approval"}','','sha256:fcyHHd_oTnfEuFO3S_RZqW0kCEXwbM4cNLRad5Oss8I');
INSERT INTO "event" VALUES(3,'default','hold:hold_01kdvdna00shpjvb9r3vez64aq',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:bmsZG4mq50iMSaehFl5ANXp8WHc4szCdzbMihiR7mjU","created_by":"refunder","digest":"sha256:Oy8Da9BmJ3z2JeOnL_o20EG-yCsKww2TCzwhcvRcUyE","expires_at":1767232800000,"links":"agent","links_made":[{"link_id":"link_01kdvdna00mccya00qjb61gbkq","purpose":"review"}],"rungs":1,"type":"approval"}','','sha256:Y5992xEqdRJXuysKBHBLXXEEpA0gsehYDGfEKOQCKhQ');
INSERT INTO "event" VALUES(4,'default','hold:hold_01kdvdna007p9rv2hqqpsjws30',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:XYEIxkjQ0YzYPtTvXzfgDLkeyuBbB1OhW3jr_hsMiTg","created_by":"refunder","digest":"sha256:pCZ8wUg35g0yfqHReGNBq8fO7bl57HRR0HTy3JctdLo","links":"agent","links_made":[{"link_id":"link_01kdvdna00rb4m6r9cgze5gdda","purpose":"review"}],"rungs":0,"type":"approval"}','','sha256:sO6P72Ayl8XH87muAFzZEu29HC5bLyDL4x0eXJUfmh8');
INSERT INTO "event" VALUES(5,'default','hold:hold_01kdvdna007p9rv2hqqpsjws30',2,'hold.decided',1767225600000,'key:ada','refunder','{"action":"approve","by":{"id":"env:operator:ada","kind":"key"},"content":"sha256:kFwJrXWdVWJeJ55j3U-mg4yHjRVgXQtRaLIw2aoM9-I","door":"rest"}','sha256:sO6P72Ayl8XH87muAFzZEu29HC5bLyDL4x0eXJUfmh8','sha256:knqDaAMLGVrlmhcZgFsocB23g4fPJDlyFXeB_x1vtZM');
INSERT INTO "event" VALUES(6,'default','hold:hold_01kdvdna007p9rv2hqqpsjws30',3,'hold.claimed',1767225600000,'key:refunder','refunder','{"claim_id":"claim_01kdvdna008924rks3gyc08pxd","state":"claimed"}','sha256:knqDaAMLGVrlmhcZgFsocB23g4fPJDlyFXeB_x1vtZM','sha256:4UcbkI9pxQqOJ6Cp_24DyQJaTVP8cecIqrYC0pZxhVs');
INSERT INTO "event" VALUES(7,'default','hold:hold_01kdvdna007p9rv2hqqpsjws30',4,'hold.claim_done',1767225600000,'key:refunder','refunder','{"claim_id":"claim_01kdvdna008924rks3gyc08pxd","state":"done"}','sha256:4UcbkI9pxQqOJ6Cp_24DyQJaTVP8cecIqrYC0pZxhVs','sha256:YtaUSI0JEl7oxz-EpQs8XUCgacQ92TlXWDlbQwreaNU');
INSERT INTO "event" VALUES(8,'default','hold:hold_01kdvdna008kt54jj690xj6m34',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:V4ij3upsrHHsl2jPKb1ya2BKapI8xuM3djU7qb-Xdag","created_by":"refunder","digest":"sha256:BmC4cxzd8T__2wy36eBjQB3JXMRjDwaWEJALTX8EfsU","links":"agent","links_made":[{"link_id":"link_01kdvdna0038hpmk4b7hhpn90c","purpose":"review"}],"rungs":0,"type":"approval"}','','sha256:x-qo0lMxxgLBF1P79ZKtZGVfdA4aiTmLRR2eJb0DZME');
INSERT INTO "event" VALUES(9,'default','hold:hold_01kdvdna008kt54jj690xj6m34',2,'hold.cancelled',1767225600000,'key:refunder','refunder','{"by":{"id":"env:agent:refunder","kind":"key"},"content":"sha256:fjzbnnykFTmotrFXqKhtDBBywtjMdh8M32KPL91CT2Y"}','sha256:x-qo0lMxxgLBF1P79ZKtZGVfdA4aiTmLRR2eJb0DZME','sha256:5DStX1MRaOguTYhTLw9uxnUJPdgI4xa9rihZcHYhZZ8');
INSERT INTO "event" VALUES(10,'default','hold:hold_01kdvdna008kt54jj690xj6m34',3,'hold.erased',1767225600000,'key:root','refunder','{}','sha256:5DStX1MRaOguTYhTLw9uxnUJPdgI4xa9rihZcHYhZZ8','sha256:Q-pZdPTYGwgo71FNE5N18xaY9Z_s2NWZ5HtkabHDcso');
INSERT INTO "event" VALUES(11,'default','group:group_01kdvdna00hv45sp1kzvfqvr9p',1,'group.placed',1767225600000,'key:refunder','refunder','{"members":["hold_01kdvdna00pg4wpa92pny0epd0","hold_01kdvdna00ez2znbn636y56p4k"]}','','sha256:XHHcsvu79_PUfSYdOy0AbtfjDdq9YicgoTXTDco4bNI');
INSERT INTO "event" VALUES(12,'default','hold:hold_01kdvdna00pg4wpa92pny0epd0',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:zWHdoZXVE8kjI6iJPJs6WwxBeCkPDGvc-WCHsUKVkXs","created_by":"refunder","digest":"sha256:2t_00y7wBk3A81c7dGKqUQyjZlgM2cJkpC4T9IG9tvA","group_id":"group_01kdvdna00hv45sp1kzvfqvr9p","links":"agent","links_made":[{"link_id":"link_01kdvdna00w8ca5yecbhw7z9q7","purpose":"review"}],"rungs":0,"type":"approval"}','','sha256:OizXDNMBCTZobCAdWgNE_PzUpwlv-LqX7GUe6ya8P-0');
INSERT INTO "event" VALUES(13,'default','hold:hold_01kdvdna00ez2znbn636y56p4k',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:g2cInXxw4PkvN3VydzlextQ9k1xK0ZgM11_e-TcWEiU","created_by":"refunder","digest":"sha256:frKgpDFFugknmN0DfIvR4niLUvc55RE6PXj08-ODglg","group_id":"group_01kdvdna00hv45sp1kzvfqvr9p","links":"agent","links_made":[{"link_id":"link_01kdvdna00w1yrjc0q6xx8snjc","purpose":"review"}],"rungs":0,"type":"confirmation"}','','sha256:HVJGR4DB5dOt26HNJA6tWP8lGYA2K4d7OMNpp2nzeNQ');
INSERT INTO "event" VALUES(14,'default','intent:intent_01kdvdna005adk2yjs46t8b309',1,'intent_created',1767225600000,'refunder','refunder','{"payload":{"created_by":"refunder","status":"draft","title":"Refund","version":1}}','','sha256:-GTxo5ciGOaejTKzj41Hbz5BDA5xoKbZN04mdbnGhDw');
INSERT INTO "event" VALUES(15,'default','intent:intent_01kdvdna005adk2yjs46t8b309',2,'status_changed',1767225600000,'refunder','refunder','{"payload":{"from":"draft","new_status":"active","old_status":"draft","status":"active","to":"active","version":2}}','sha256:-GTxo5ciGOaejTKzj41Hbz5BDA5xoKbZN04mdbnGhDw','sha256:HRavVwAzkJJze-s9v7O8qAIOrplxfvFLiWG_kmjEM7E');
INSERT INTO "event" VALUES(16,'default','intent:intent_01kdvdna005adk2yjs46t8b309',3,'status_changed',1767225600000,'refunder','refunder','{"payload":{"from":"active","new_status":"suspended_awaiting_input","old_status":"active","status":"suspended_awaiting_input","to":"suspended_awaiting_input","version":3}}','sha256:HRavVwAzkJJze-s9v7O8qAIOrplxfvFLiWG_kmjEM7E','sha256:NwC9y9iEeuRRb7EeT-LubBDEe3b3e12Yg95E0m8xgz8');
INSERT INTO "event" VALUES(17,'default','hold:hold_01kdvdna00tngz5zh6zpnp05zr',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:1PTKZmKN1iNkE8rnRwEdRmh8CMw9zGhAKEux6nqDJmI","created_by":"refunder","digest":"sha256:90gI8thoARXNq6VIE7NPabOLnrrgLeoThB4AEBrx9Go","expires_at":1767232800000,"intent_id":"intent_01kdvdna005adk2yjs46t8b309","links":"server","rungs":1,"type":"selection"}','','sha256:ti7MClgu5YHcEC7RQOdPazaMw8-O4FmdnCe7qEATIL8');
INSERT INTO "event" VALUES(18,'default','intent:intent_01kdvdna005adk2yjs46t8b309',4,'intent.suspended',1767225600000,'refunder','refunder','{"kept_with":"s1"}','sha256:NwC9y9iEeuRRb7EeT-LubBDEe3b3e12Yg95E0m8xgz8','sha256:na3fipQ4mgbkVQxf0vJ8zJCYMoQN7VSx9M6MY7igwVM');
INSERT INTO "event" VALUES(19,'default','intent:intent_01kdvdna00vbfp5v1pp0jha06h',1,'intent_created',1767225600000,'refunder','refunder','{"payload":{"created_by":"refunder","status":"draft","title":"Native","version":1}}','','sha256:lnQq3lEs8JmIshy4clDfUJ9LDQYUsKrWKjLX4J2f8x0');
INSERT INTO "event" VALUES(20,'default','intent:intent_01kdvdna00vbfp5v1pp0jha06h',2,'status_changed',1767225600000,'refunder','refunder','{"payload":{"from":"draft","new_status":"active","old_status":"draft","status":"active","to":"active","version":2}}','sha256:lnQq3lEs8JmIshy4clDfUJ9LDQYUsKrWKjLX4J2f8x0','sha256:aejifz8Ra0UCXObIg2bsnQ3VK5M283TUhZP_QeEUycQ');
INSERT INTO "event" VALUES(21,'default','hold:hold_01kdvdna00ch49c3383b7v495b',1,'hold.placed',1767225600000,'key:refunder','refunder','{"content":"sha256:wEDzZlRnl3Ye5gQdFEcbCPckeQdz-7sI8jneAqsCvpg","created_by":"refunder","digest":"sha256:1j8D9cBckO8wMHw5afegpVzFcj20dBiubse5Mt0N3B8","intent_id":"intent_01kdvdna00vbfp5v1pp0jha06h","links":"agent","links_made":[{"link_id":"link_01kdvdna003d6yyb5z4x45w86b","purpose":"review"}],"rungs":0,"type":"approval"}','','sha256:skF-m4oFg28eka8qQTrU0Gvs7E4YxvDrZi4yu2MUW5A');
INSERT INTO "event" VALUES(22,'default','intent:intent_01kdvdna00vbfp5v1pp0jha06h',3,'status_changed',1767225600000,'refunder','refunder','{"payload":{"from":"active","new_status":"suspended_awaiting_input","old_status":"active","status":"suspended_awaiting_input","to":"suspended_awaiting_input","version":3}}','sha256:aejifz8Ra0UCXObIg2bsnQ3VK5M283TUhZP_QeEUycQ','sha256:jdQc9N8DoYOFO1MI9UqhIM-LDqozZO5g6j5ieCzgGXQ');
INSERT INTO "event" VALUES(23,'default','intent:intent_01kdvdna00vbfp5v1pp0jha06h',4,'intent.suspended',1767225600000,'refunder','refunder','{"kept_with":"hold_01kdvdna00ch49c3383b7v495b"}','sha256:jdQc9N8DoYOFO1MI9UqhIM-LDqozZO5g6j5ieCzgGXQ','sha256:2gdSi3VPY5AU-A0TM3TFC10K-cuEk-P0p8P2SMFoVRY');
INSERT INTO "event" VALUES(24,'default','subscription:sub_01kdvdna005n0rgbf3zs0va7rb',1,'subscription.made',1767225600000,'key:refunder','refunder','{"event_types":[],"subscriber_id":"refunder","subscription_id":"sub_01kdvdna005n0rgbf3zs0va7rb"}','','sha256:yorojrJ8K7UYZ-4j0jyNYag5jQddHCpdbmJdF6KBtqE');
CREATE TABLE hold (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  status TEXT NOT NULL,
  creator TEXT NOT NULL,
  created_at INTEGER,
  thread TEXT,
  intent TEXT,
  group_id TEXT,
  previous TEXT,
  body TEXT NOT NULL,
  UNIQUE (id, workspace)
) STRICT;
INSERT INTO "hold" VALUES('default','hold_01kdvdna00aa3mw0y4zknpmb1f',1,1,'sha256:fcyHHd_oTnfEuFO3S_RZqW0kCEXwbM4cNLRad5Oss8I','open','refunder',1767225600000,NULL,NULL,NULL,NULL,'{"id":"hold_01kdvdna00aa3mw0y4zknpmb1f","salt":"8wP0JfFQXn7L8oE_Tc31KA","key":"linked","ask":{"type":"approval","prompt":"Refund 40 EUR?","context":{"order":"o-1"}},"links":"agent","digest":"sha256:m6fRCaCJCTFNk8tmz7vc7UzYJB8EKFsUGj49luf4B-Y","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna00shpjvb9r3vez64aq',1,1,'sha256:Y5992xEqdRJXuysKBHBLXXEEpA0gsehYDGfEKOQCKhQ','open','refunder',1767225600000,NULL,NULL,NULL,NULL,'{"id":"hold_01kdvdna00shpjvb9r3vez64aq","salt":"M743RpQWfMvoBRjyKdbx6g","key":"timed","ask":{"type":"approval","prompt":"Refund 40 EUR?","context":{"order":"o-1"}},"onTimeout":{"action":"reject"},"links":"agent","digest":"sha256:Oy8Da9BmJ3z2JeOnL_o20EG-yCsKww2TCzwhcvRcUyE","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[{"kind":"attempt","channel":"console","at":1767227400000,"n":2}],"attempt":1,"expiresAt":1767232800000}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna007p9rv2hqqpsjws30',4,4,'sha256:YtaUSI0JEl7oxz-EpQs8XUCgacQ92TlXWDlbQwreaNU','decided','refunder',1767225600000,NULL,NULL,NULL,NULL,'{"id":"hold_01kdvdna007p9rv2hqqpsjws30","salt":"J-S25hiNT5jrs24_5bowEQ","key":"decided","ask":{"type":"approval","prompt":"Refund 40 EUR?","context":{"order":"o-1"}},"links":"agent","digest":"sha256:pCZ8wUg35g0yfqHReGNBq8fO7bl57HRR0HTy3JctdLo","status":"decided","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1,"outcome":{"kind":"decided","action":"approve","data":{},"by":{"kind":"key","id":"env:operator:ada","name":"ada"},"door":"rest","at":1767225600000},"claim":{"id":"claim_01kdvdna008924rks3gyc08pxd","by":"key:refunder","at":1767225600000,"until":1767225900000,"state":"done","endedAt":1767225600000}}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna008kt54jj690xj6m34',3,3,'sha256:Q-pZdPTYGwgo71FNE5N18xaY9Z_s2NWZ5HtkabHDcso','cancelled','refunder',1767225600000,NULL,NULL,NULL,NULL,'{"id":"hold_01kdvdna008kt54jj690xj6m34","salt":null,"ask":null,"links":"agent","digest":"sha256:BmC4cxzd8T__2wy36eBjQB3JXMRjDwaWEJALTX8EfsU","status":"cancelled","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1,"erasedAt":1767225600000,"outcome":{"kind":"cancelled","cancelledBy":{"kind":"key","id":"env:agent:refunder"},"at":1767225600000}}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna00pg4wpa92pny0epd0',1,1,'sha256:OizXDNMBCTZobCAdWgNE_PzUpwlv-LqX7GUe6ya8P-0','open','refunder',1767225600000,NULL,NULL,'group_01kdvdna00hv45sp1kzvfqvr9p',NULL,'{"id":"hold_01kdvdna00pg4wpa92pny0epd0","salt":"mA_DBIxlrcRO4GABQWrE2w","ask":{"type":"approval","prompt":"one"},"links":"agent","digest":"sha256:2t_00y7wBk3A81c7dGKqUQyjZlgM2cJkpC4T9IG9tvA","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1,"groupId":"group_01kdvdna00hv45sp1kzvfqvr9p"}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna00ez2znbn636y56p4k',1,1,'sha256:HVJGR4DB5dOt26HNJA6tWP8lGYA2K4d7OMNpp2nzeNQ','open','refunder',1767225600000,NULL,NULL,'group_01kdvdna00hv45sp1kzvfqvr9p',NULL,'{"id":"hold_01kdvdna00ez2znbn636y56p4k","salt":"YRKNoZXdQC7MIfjCZCuxUA","ask":{"type":"confirmation","prompt":"two"},"links":"agent","digest":"sha256:frKgpDFFugknmN0DfIvR4niLUvc55RE6PXj08-ODglg","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1,"groupId":"group_01kdvdna00hv45sp1kzvfqvr9p"}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna00tngz5zh6zpnp05zr',1,1,'sha256:ti7MClgu5YHcEC7RQOdPazaMw8-O4FmdnCe7qEATIL8','open','refunder',1767225600000,NULL,'intent_01kdvdna005adk2yjs46t8b309',NULL,NULL,'{"id":"hold_01kdvdna00tngz5zh6zpnp05zr","salt":"MqRiHFzO-IBLDWvojXLaiA","ask":{"type":"selection","prompt":"Q","options":[{"id":"approve","label":"Approve","description":"d"},{"id":"deny","label":"Deny"}],"select":{"min":1,"max":1}},"onTimeout":{"action":"abort"},"links":"server","intentId":"intent_01kdvdna005adk2yjs46t8b309","face":{"openintent":{"id":"s1","record":{"id":"s1","question":"Q","response_type":"choice","choices":[{"value":"approve","label":"Approve","description":"d"},{"value":"deny","label":"Deny"}],"context":{},"timeout_seconds":7200,"fallback_policy":"fail"},"suspended_at":1767225600000}},"digest":"sha256:90gI8thoARXNq6VIE7NPabOLnrrgLeoThB4AEBrx9Go","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[{"kind":"attempt","n":1,"at":1767225600000,"state":"fired"}],"attempt":1,"expiresAt":1767232800000}');
INSERT INTO "hold" VALUES('default','hold_01kdvdna00ch49c3383b7v495b',1,1,'sha256:skF-m4oFg28eka8qQTrU0Gvs7E4YxvDrZi4yu2MUW5A','open','refunder',1767225600000,NULL,'intent_01kdvdna00vbfp5v1pp0jha06h',NULL,NULL,'{"id":"hold_01kdvdna00ch49c3383b7v495b","salt":"2U1dpgxnNAlInIkSIHFBOg","key":"on-intent","ask":{"type":"approval","prompt":"Refund 40 EUR?","context":{"order":"o-1"}},"links":"agent","intentId":"intent_01kdvdna00vbfp5v1pp0jha06h","digest":"sha256:1j8D9cBckO8wMHw5afegpVzFcj20dBiubse5Mt0N3B8","status":"open","createdBy":"refunder","creatorKey":"env:agent:refunder","createdAt":1767225600000,"rungs":[],"attempt":1}');
CREATE TABLE outbox (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  hold_id TEXT,
  event_stream TEXT NOT NULL,
  event_seq INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  detail TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  claim INTEGER NOT NULL,
  PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE timer (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  PRIMARY KEY (workspace, kind, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "timer" VALUES('default','hold','hold_01kdvdna00shpjvb9r3vez64aq',1767227400000);
INSERT INTO "timer" VALUES('default','hold','hold_01kdvdna00tngz5zh6zpnp05zr',1767232800000);
CREATE INDEX hold_status ON hold (workspace, status, id);
CREATE INDEX hold_creator_status ON hold (workspace, creator, status, id);
CREATE INDEX hold_thread ON hold (workspace, thread, id) WHERE thread IS NOT NULL;
CREATE INDEX hold_intent ON hold (workspace, intent, id) WHERE intent IS NOT NULL;
CREATE INDEX hold_group ON hold (workspace, group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX hold_previous ON hold (workspace, previous, id) WHERE previous IS NOT NULL;
CREATE INDEX timer_due ON timer (due_at);
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_hold ON outbox (workspace, hold_id, id) WHERE hold_id IS NOT NULL;
CREATE INDEX outbox_trouble ON outbox (workspace, state, id) WHERE state = 'failed' OR state = 'no_channel';
CREATE INDEX outbox_settled ON outbox (created_at, workspace, id) WHERE state <> 'waiting';
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('event',24);
COMMIT;