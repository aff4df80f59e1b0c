// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

class SentencesTest {
    @Test
    void filesAndHostsAreNamedWithoutClasses() {
        assertThat(Sentences.of(new AccessDeniedException("/a")))
                .isEqualTo("/a may not be read or written by this user");
        assertThat(Sentences.of(new NotDirectoryException("/a"))).isEqualTo("/a is not a directory");
        assertThat(Sentences.of(new FileSystemException("/a", null, "Is a directory")))
                .isEqualTo("/a: Is a directory");
        assertThat(Sentences.of(new FileSystemException("/a"))).isEqualTo("/a cannot be used");
        assertThat(Sentences.of(new UnknownHostException("rm1"))).isEqualTo("there is no host rm1");
        assertThat(Sentences.of(new ConnectException())).isEqualTo("the connection was refused");
        assertThat(Sentences.of(new UncheckedIOException(new IOException("full"))))
                .isEqualTo("full");
    }

    @Test
    void wordsOfHadoopLoseTheirClassesAndTraces() {
        assertThat(Sentences.plain(
                        "java.io.IOException: org.apache.hadoop.ipc.RpcException: no such queue\n\tat a.B.c(D:1)"))
                .isEqualTo("no such queue");
        assertThat(Sentences.plain("a.b.C is not a class of ours")).isEqualTo("a.b.C is not a class of ours");
    }
}
