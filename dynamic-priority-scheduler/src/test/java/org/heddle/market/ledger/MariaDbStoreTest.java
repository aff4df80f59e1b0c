// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.nio.file.Path;
import org.heddle.testkit.SystemPackage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Against a real MariaDB of Debian's (package mariadb-server). */
class MariaDbStoreTest extends StoreContract {
    @TempDir
    static Path temporary;

    private static @Nullable DatabaseServer server;
    private static int books;

    @BeforeEach
    void startServer() throws Exception {
        SystemPackage.require("mariadbd");
        if (server == null) {
            server = DatabaseServer.mariaDb(temporary);
        }
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Override
    void newBooks() {
        books++;
    }

    @Override
    LedgerStore store(WritePoint.Watcher watcher) {
        if (server == null) {
            throw new IllegalStateException("no server");
        }
        return new JdbcStore(server.mariaDbUrl(), "root", "", "cluster-" + books, watcher);
    }
}
