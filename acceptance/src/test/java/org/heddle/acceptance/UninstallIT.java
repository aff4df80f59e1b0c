// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** After all that has run in it, the Hadoop installation is left as it was. */
@Order(90)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
class UninstallIT {
    @Test
    void uninstallLeavesNothing(SharedCluster shared) throws Exception {
        shared.distribution().uninstall(shared.home());
        Files.delete(shared.orderJar());
        assertThat(SourceTree.list(shared.home().path())).isEqualTo(shared.filesBefore());
    }
}
