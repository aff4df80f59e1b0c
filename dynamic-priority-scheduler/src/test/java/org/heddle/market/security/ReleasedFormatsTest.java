// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.heddle.market.cli.client.KeyFile;
import org.heddle.settings.command.CommandException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What release 0.1.0 wrote is read, and what a later release may write is refused in one sentence. */
@Tag("pure")
class ReleasedFormatsTest {
    /** Made by 0.1.0 for bob and the account alice of cluster pine, with key alice/1. */
    private static final String VOUCHER =
            "heddle-voucher-1-7zdmne7l4wi6cadrh6zqalgryy7owmz7ii73pw6a6yt6y6pdd6qravv434ylgpa";

    private static final byte[] SECRET = "secret-of-0.1.0".getBytes(StandardCharsets.UTF_8);
    private static final String KEY = "1 user salt master-1 1793491200000 1796083200000 0";
    private static final String KEY_FILE = """
        heddle-market-key 1
        url = http://rm:8088
        cluster = pine
        key = alice/1
        secret = c2VjcmV0LW9mLTAuMS4w
        """;

    @TempDir
    Path directory;

    @Test
    void vouchers() throws Exception {
        Voucher voucher = Voucher.read(VOUCHER);
        assertThat(voucher.expiresSeconds()).isEqualTo(1_900_000_000L);
        assertThat(voucher.isOf("alice/1")).isTrue();
        assertThat(voucher.isFor(new Voucher.Use("pine", "alice", "bob"), "alice/1", SECRET))
                .isTrue();
        assertThat(voucher.isFor(new Voucher.Use("pine", "alice", "eve"), "alice/1", SECRET))
                .isFalse();
        assertThatThrownBy(() -> Voucher.read(VOUCHER.replace("voucher-1-", "voucher-2-")))
                .hasMessageStartingWith("the voucher has a version that is unknown to this cluster; create one with");
    }

    @Test
    void keysInTheLedger() {
        ApiKey key = ApiKey.parse("alice/1", KEY);
        assertThat(key.owner()).isEqualTo("alice");
        assertThat(key.isLive(1_793_491_200_001L)).isTrue();
        assertThat(key.content()).as("the format has not changed").isEqualTo(KEY);
        assertThatThrownBy(() -> ApiKey.parse("alice/1", "2" + KEY.substring(1)))
                .hasMessage("the key alice/1 has the format '2', which is unknown to this version (known: 1); start the"
                        + " version that wrote it");
    }

    private Path keyFile(String name, String text) throws Exception {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void keyFiles() throws Exception {
        KeyFile read = KeyFile.read(keyFile("old", KEY_FILE));
        assertThat(read.keyId()).isEqualTo("alice/1");
        assertThat(read.secretBytes()).isEqualTo(SECRET);
        read.write(directory.resolve("new"));
        assertThat(directory.resolve("new")).as("the format has not changed").hasContent(KEY_FILE);
        Path later = keyFile("later", KEY_FILE.replace("key 1\n", "key 2\n"));
        assertThatThrownBy(() -> KeyFile.read(later))
                .isInstanceOf(CommandException.class)
                .hasMessage(later + ": this is not a key file of a known version (heddle-market-key 1)");
    }
}
