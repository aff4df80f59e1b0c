// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.web;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** Reads the body of an answer as text; one that is too large fails before it fills the memory. */
final class LimitedText implements BodySubscriber<String> {
    /** The list of 30,000 applications has that much. */
    static final int MOST_MIB = 64;

    private final BodySubscriber<String> text;
    private @Nullable Subscription subscription;
    private long left = MOST_MIB * 1024L * 1024;

    LimitedText(ResponseInfo head) {
        this.text = BodyHandlers.ofString().apply(head);
    }

    @Override
    public CompletionStage<String> getBody() {
        return text.getBody();
    }

    @Override
    public void onSubscribe(Subscription given) {
        subscription = given;
        text.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
        boolean wasLeft = left >= 0;
        left -= part.stream().mapToLong(ByteBuffer::remaining).sum();
        if (left >= 0) {
            text.onNext(part);
        } else if (wasLeft && subscription != null) {
            subscription.cancel();
            text.onError(new IOException("its answer is larger than " + MOST_MIB + " MiB"));
        }
    }

    @Override
    public void onError(Throwable failure) {
        text.onError(failure);
    }

    @Override
    public void onComplete() {
        text.onComplete();
    }
}
