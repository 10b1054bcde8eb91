use std::convert::Infallible;

use ntex::service::{fn_factory_with_config, fn_service};
use ntex::util::ByteString;
use ntex::web::ws::{self, CloseCode, Frame, Message, WsSink};
use ntex::web::{self, HttpRequest, HttpResponse, ServiceConfig};

pub fn mount(config: &mut ServiceConfig) {
    config.service(upgrade);
}

#[web::get("/ws")]
async fn upgrade(request: HttpRequest) -> Result<HttpResponse, web::Error> {
    let echoes = fn_factory_with_config(async |_: WsSink| Ok::<_, web::Error>(fn_service(echo)));
    ws::start(request, None::<&str>, echoes).await
}

/// Sends each frame back, so a message in fragments comes back in the same ones.
async fn echo(frame: Frame) -> Result<Option<Message>, Infallible> {
    Ok(match frame {
        Frame::Text(bytes) => Some(match ByteString::try_from(bytes) {
            Ok(text) => Message::Text(text),
            Err(()) => Message::Close(Some(CloseCode::Invalid.into())),
        }),
        Frame::Binary(bytes) => Some(Message::Binary(bytes)),
        Frame::Continuation(item) => Some(Message::Continuation(item)),
        Frame::Ping(payload) => Some(Message::Pong(payload)),
        Frame::Pong(_) => None,
        Frame::Close(reason) => Some(Message::Close(reason)),
    })
}
